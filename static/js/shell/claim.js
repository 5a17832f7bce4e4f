/** Moves a seat to this device with a link, and removes the deck of a seat that has moved away. */
import { getFamily, isFamilyLoaded } from "../core/family.js";
import { Refusal, pause, request } from "../core/http.js";
import * as memory from "../core/memory.js";
import { t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */

/** Pause before asking again whether the other device now has the seat's deck. */
const AGAIN_MS = 1000;
const MAX_TRIES = 30;

/**
 * Handles a link that moves a seat to this device. Removes the claim (the link's secret token) from
 * the address, because it works only once. Asks for confirmation if this device already has a seat
 * at the table.
 * @param {Controller} ctrl
 * @param {() => Promise<void>} loadFamily loads the family whose decks can move
 */
export async function followClaimLink(ctrl, loadFamily) {
  const [link, token, carried] = /^#claim=([^.]+)(?:\.(.+))?$/.exec(location.hash) ?? [];
  if (!token) return;
  history.replaceState(history.state, "", location.pathname);
  const takeSeat = async () => {
    try {
      await takeClaimedSeat(ctrl, token, carried, loadFamily);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The link stays in the address, so that a reload tries again.
      if (error.problem.code === "offline") history.replaceState(history.state, "", link);
      ctrl.showProblem(error.problem, "now");
    }
  };
  if (memory.readStoredSeat(ctrl.table))
    ctrl.set({ takeLinkedSeat: () => takeSeat().then(() => ctrl.wire?.reconnect()) });
  else await takeSeat();
}

/**
 * Takes the seat of a link. The link works only once, so what keeps its deck is loaded before.
 * @param {Controller} ctrl
 * @param {string} token the claim
 * @param {string | undefined} carried what the link carries for the family
 * @param {() => Promise<void>} loadFamily
 */
async function takeClaimedSeat(ctrl, token, carried, loadFamily) {
  const keepDeck =
    carried &&
    (await loadDeckReceiver(loadFamily).catch(() => {
      throw new Refusal({ code: "offline", text: t("error.offline") });
    }));
  memory.storeSeat(await request(`/api/claims/${encodeURIComponent(token)}`, {}));
  if (keepDeck)
    keepDeck(ctrl.table, token, carried).then(
      () => ctrl.wire?.showAgain(),
      ({ message }) => ctrl.showProblem({ code: "unkept", text: message }, "now"),
    );
}

/** @param {() => Promise<void>} loadFamily */
async function loadDeckReceiver(loadFamily) {
  if (!isFamilyLoaded()) await loadFamily();
  return getFamily().loadDeckReceiver?.();
}

/**
 * Deletes what this device stored for a former seat, unless it is still needed on this device. If
 * that can't be found out, tries again at intervals, a limited number of times. Returns "gone" if
 * it was deleted, "here" if it is still needed, and "unknown" if all attempts failed.
 * @param {string} table
 * @param {string} seat
 */
export async function forgetDeck(table, seat) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const need = isFamilyLoaded() ? await getFamily().forgetSeat?.(table, seat) : "unknown";
    if (need !== "unknown") return need;
    await pause(AGAIN_MS);
  }
  return "unknown";
}
