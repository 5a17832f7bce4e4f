/**
 * Renders the sheet of a seat: its cards, and the buttons for the host and for the seat's own
 * player.
 */
import { getFamily } from "../core/family.js";
import { html, nothing } from "../core/lit.js";
import { request } from "../core/http.js";
import { readStoredSeat } from "../core/memory.js";
import { canActFor, findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import {
  renderEmblem,
  renderPlayerName,
  renderCommandButton,
  renderSentence,
  renderRobotSign,
  renderConfirmButton,
} from "./parts.js";
import { onNextFrame, resolvePath } from "../core/page.js";
import { renderEmblemChoice } from "./emblem-choice.js";
import { renderShareButton } from "./invite.js";
import { renderNameField, refuseEmptyName } from "./join.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Drawn, Seat, View } from "../core/types.js" */

/**
 * @param {Controller} ctrl
 * @param {(found: Seat, mine: boolean) => Drawn} cards draws the cards in front of a seat
 */
export function renderSeatSheet(ctrl, cards) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = findSeat(view, ctrl.sheet?.seat);
  if (!seat) return nothing;
  const mine = seat.seat === ctrl.me;
  return html`<div class="seat-sheet">
    <h3>
      ${renderEmblem(ctrl, seat.seat)}${renderPlayerName(seat.name)}${
        seat.seat === view.host ? html`<span class="tag">${t("host")}</span>` : nothing
      }${renderRobotSign(seat)}
    </h3>
    ${mine || view.you?.host ? renderSeatActions(ctrl, seat) : nothing}
    ${view.phase === "lobby" ? nothing : cards(seat, mine)}
  </div>`;
}

/** @param {Controller} ctrl @param {Seat} seat */
function renderSeatActions(ctrl, seat) {
  const view = /** @type {View} */ (ctrl.view);
  const mine = seat.seat === ctrl.me;
  const host = !!view.you?.host;
  const claim = ctrl.claim?.seat === seat.seat ? ctrl.claim : null;
  return html`<div class="deeds">
    ${
      host && !mine && canActFor(view, seat.seat)
        ? html`<button type="button" class="press main"
          @click=${() => ctrl.set({ pickedSeat: seat.seat, sheet: null })}>
          <span>${renderSentence("act.for", { who: renderPlayerName(seat.name) })}</span>
        </button>`
        : nothing
    }
    ${view.phase === "lobby" ? renderRenameForm(ctrl, seat) : nothing}
    ${
      (view.phase === "lobby" || view.phase === "setup") && (mine || !seat.panel)
        ? renderEmblemChoice(ctrl, seat.seat)
        : nothing
    }
    ${
      view.phase === "setup" && host && !mine && !seat.robot
        ? renderCommandButton(
            ctrl,
            { type: "ready", as: seat.seat, ready: !seat.ready },
            seat.ready
              ? t("ready.undo")
              : renderSentence("ready.for", { who: renderPlayerName(seat.name) }),
            { id: `ready-${seat.seat}`, spot: "sheet", last: true },
          )
        : nothing
    }
    ${seat.robot ? nothing : renderClaimButton(ctrl, seat)}
    ${
      claim
        ? html`<p class="claim">
          ${
            claim.secret || ctrl.prefs.veil
              ? nothing
              : html`<img class="qr" src=${resolvePath(`/t/${ctrl.table}/qr.svg?claim=${claim.claim}`)}
                alt=${t("claim.qr")} width="150" height="150">`
          }
          <span class="claim-link">
            ${renderShareButton(ctrl, claim.url, claim.claim, "")}
            ${ctrl.prefs.veil ? nothing : html`<a href=${claim.url} data-claim>${claim.url}</a>`}
            <span class="soft">${t("claim.once")}</span>
          </span>
          ${
            claim.secret
              ? html`<span class="claim-deck">${t("claim.deck")}</span>`
              : renderDeckWarning(ctrl, seat)
          }
        </p>`
        : nothing
    }
    ${
      host && !mine && seat.panel && !seat.robot
        ? renderConfirmButton(
            ctrl,
            { type: "pass_host", seat: seat.seat },
            {
              label: t("host.pass"),
              ask: t("sure.host", { name: seat.name }),
              yes: t("sure.host.yes"),
              kind: "",
            },
          )
        : nothing
    }
    ${
      host && !mine
        ? renderConfirmButton(
            ctrl,
            { type: "remove_seat", seat: seat.seat },
            {
              label: t("seat.remove"),
              ask: t("sure.remove", { name: seat.name }),
              yes: t("sure.remove.yes"),
            },
          )
        : nothing
    }
    ${
      mine
        ? renderConfirmButton(
            ctrl,
            { type: "leave" },
            {
              label: t("leave"),
              ask: t(
                seat.alive && view.phase !== "lobby" && view.phase !== "setup"
                  ? "sure.leave.out"
                  : "sure.leave",
              ),
              yes: t("sure.leave.yes"),
            },
          )
        : nothing
    }
  </div>`;
}

/**
 * Renders the button that creates a link to open this seat on another device. The link takes the
 * seat's deck along only if it is created on the device that stores the deck.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
function renderClaimButton(ctrl, seat) {
  const kept = getFamily().locateDeck?.(ctrl, seat);
  const who = renderPlayerName(seat.name);
  if (kept === "here")
    return html`<p class="soft" data-stays>${renderSentence("claim.stays", { who })}</p>`;
  const label = t(seat.seat === ctrl.me ? "claim.mine" : "claim.theirs");
  if (kept)
    return renderConfirmButton(
      ctrl,
      { type: "claim", seat: seat.seat },
      {
        label,
        ask: t("claim.bare.ask", { who: seat.name }),
        yes: t("claim.bare.yes"),
        kind: "",
        act: (event) => makeClaimLink(ctrl, seat, event),
      },
    );
  return html`<button type="button" class="press" data-do="claim"
    @click=${(/** @type {Event} */ event) => makeClaimLink(ctrl, seat, event)}>
    ${label}
  </button>`;
}

/**
 * Renders a warning if the link moves only the seat and not its deck.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
function renderDeckWarning(ctrl, seat) {
  if (getFamily().locateDeck?.(ctrl, seat))
    return html`<span class="claim-deck">${t("claim.bare")}</span>`;
  return seat.seat === ctrl.me && ctrl.deviceDeck?.lost
    ? html`<span class="claim-deck">${t("claim.back")}</span>`
    : nothing;
}

/** @param {Controller} ctrl @param {Seat} seat */
function renderRenameForm(ctrl, seat) {
  const label = t(seat.seat === ctrl.me ? "name" : "name.theirs");
  return html`<form class="adder" novalidate
    @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name"));
      if (!refuseEmptyName(ctrl, name, "name"))
        ctrl.send({ type: "rename", as: seat.seat, name }, "name");
    }}>
    ${renderNameField(ctrl, { label, spot: "name", value: seat.name })}
    <button class="press">${t("rename")}</button>
  </form>`;
}

/**
 * Requests a link to open this seat on another device, and scrolls to the link.
 * @param {Controller} ctrl
 * @param {Seat} seat
 * @param {Event} event
 */
async function makeClaimLink(ctrl, seat, event) {
  const actions = /** @type {HTMLElement} */ (event.currentTarget).closest(".deeds");
  try {
    const path = `/api/tables/${ctrl.table}/seats/${seat.seat}/claim`;
    const { url, claim } = await request(path, {}, readStoredSeat(ctrl.table)?.token);
    const deckSecret =
      seat.seat === ctrl.me ? await getFamily().encryptDeckForLink?.(ctrl, claim) : null;
    const fullUrl = new URL(deckSecret ? `${url}.${deckSecret}` : url, location.href).href;
    ctrl.set({
      commandToConfirm: null,
      claim: { seat: seat.seat, url: fullUrl, claim, secret: !!deckSecret },
    });
    onNextFrame(() => actions?.querySelector(".claim")?.scrollIntoView({ block: "nearest" }));
  } catch (error) {
    if (error instanceof Error && "problem" in error)
      ctrl.showProblem(/** @type {any} */ (error).problem, "sheet");
    else throw error;
  }
}
