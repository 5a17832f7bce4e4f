/**
 * Renders the page of a replay: the table at one moment (by the same code as during play), the
 * controls, and the remarks that players left at this moment.
 */
import { win } from "../../art/scenes.js";
import { getCardTitle } from "../core/deck.js";
import { getFamily } from "../core/family.js";
import { createLazyPart } from "../core/late.js";
import { guard, html, nothing } from "../core/lit.js";
import { getSeatName } from "../core/moves.js";
import { isWindowWide, resolvePath as address } from "../core/page.js";
import { getLanguage, hasSentence, joinNames, t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { describeEvent } from "../core/wording.js";
import { renderChain } from "../shell/chain.js";
import { renderHouseRulesSentence } from "../shell/house.js";
import { getNowlineFacts } from "../shell/nowline.js";
import {
  art,
  getShownCode,
  getLongClass,
  renderPlayerName,
  renderSentence,
} from "../shell/parts.js";
import { renderControls, renderIcon } from "./bar.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "../core/types.js" */
/** @import { Player, Remark } from "./reel.js" */

const LONGEST_REMARK = 120;

/**
 * Renders the remarks left at this moment.
 * @param {View} view
 * @param {Remark[]} remarks
 * @param {number} moment
 */
const renderRemarks = (view, remarks, moment) =>
  remarks
    .filter((remark) => remark.moment === moment)
    .map(
      ({ seat, text }) =>
        html`<p class="remark"><b>${renderPlayerName(getSeatName(view, seat))}</b> <bdi>${text}</bdi></p>`,
    );

/** Renders the form for a new remark. @param {((text: string) => void) | null} leave null hides it */
const renderRemarkForm = (leave) =>
  leave
    ? html`<form class="row remark-form"
      @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.target);
        leave(String(new FormData(form).get("text") ?? ""));
      }}>
      <input class="grow" name="text" required maxlength=${LONGEST_REMARK} autocomplete="off"
        aria-label=${t("replay.remark")} placeholder=${t("replay.remark")}>
      <button class="press small main">${t("replay.remark.leave")}</button>
    </form>`
    : nothing;

/**
 * The state of a replay page, except the moment.
 * @typedef {object} ReplayState
 * @property {boolean | null} bare true while hidden cards are shown; null if they can't be
 * @property {{hands: Record<string, string[]>} | null} lay hidden cards at this moment, if shown
 * @property {boolean | null} together true while watching together; null if there is no server for it
 * @property {number} here number of people who watch together
 * @property {"you" | {by: string | null} | null} steered the last person to steer: this viewer, a seat,
 *   or a spectator (`by` is null); null if unknown
 * @property {string | null} note a problem to show
 * @property {Remark[]} remarks
 * @property {boolean | null} writing true while the form is open; null if this viewer didn't play
 * @property {{table: string | null, file: string | null}} links
 * @property {Record<"bare" | "together" | "link" | "hush" | "write", () => void> & {leave: (text:
 *   string) => void}} press
 */

const lines = createLazyPart(() => import("../shell/lines.js"));
const sheets = createLazyPart(() => import("../shell/sheets.js"));

/** Returns true if the window has room for the log beside the table. */
const hasSideColumn = () => isWindowWide(56.25);

/** @param {Controller} ctrl @param {Player} player @param {ReplayState} state */
export function renderPage(ctrl, player, state) {
  const view = /** @type {View} */ (ctrl.view);
  const words = getEntrySentence(ctrl, player);
  const where = t("replay.at", { at: player.at, all: player.reel.last });
  return html`<div class="under" ?inert=${!!ctrl.sheet}>
    <div class="play replay ${state.bare ? "bare" : ""}">
      ${renderHeader(ctrl, player, state)}
      <main class="middle">
        ${renderMoment(ctrl, player, words, state)}${renderStage(ctrl, view)}${renderSteerNote(
          view,
          state,
        )}${renderControls(player, `${where}: ${words}`)}
      </main>
      ${renderChain(ctrl)}
      ${
        hasSideColumn()
          ? html`<aside class="beside" aria-label=${t("log")} tabindex="0">
            <h2>${t("log")}</h2>
            ${lines(ctrl, (part) => part.renderLog(ctrl))}
          </aside>`
          : nothing
      }
    </div>
  </div>${ctrl.sheet ? sheets(ctrl, (part) => part.renderSheet(ctrl)) : nothing}`;
}

/** @param {Controller} ctrl @param {Player} player @param {ReplayState} state */
function renderHeader(ctrl, player, state) {
  const { bare, together, here, writing } = state;
  const count = html`<span class="reel-count" aria-hidden="true">${player.at}<span class="soft">
    /
    ${player.reel.last}</span></span>`;
  const toolButtons = guard([bare, together, here, writing, getLanguage()], () =>
    renderTools(ctrl, state),
  );
  return html`<header class="top">${renderBackLink(
    ctrl,
    state,
  )}${count}<span class="grow"></span>${toolButtons}</header>`;
}

/**
 * Renders the link back to the table, or to the home page if the replay has no table.
 * @param {Controller} ctrl
 * @param {ReplayState} state
 */
const renderBackLink = (ctrl, { links }) =>
  html`<a class="brand" href=${links.table ?? address("/")}
    aria-label=${links.table ? t("replay.table", { code: getShownCode(ctrl) }) : t("home")}>
    <span aria-hidden="true">‹</span>${art("mark")}<b>${links.table ? getShownCode(ctrl) : "Hiss"}</b>
  </a>`;

/**
 * Renders the tools: show hidden cards, watch together, add a remark, copy a link, save a file, show
 * the log, open help.
 * @param {Controller} ctrl
 * @param {ReplayState} state
 */
function renderTools(ctrl, { bare, together, here, writing, links, press }) {
  const watching = t(together ? "replay.together.on" : "replay.together.off", { count: here });
  const [log, help] = [() => ctrl.set({ sheet: { kind: "log" } }), () => ctrl.openHelp()];
  return html`<div class="reel-tools">
    ${bare === null ? nothing : renderTool("bare", t("replay.bare"), press.bare, { on: bare })}
    ${
      together === null
        ? nothing
        : renderTool("together", watching, press.together, {
            on: together,
            more: together && here > 1 ? String(here) : "",
          })
    }
    ${writing === null ? nothing : renderTool("write", t("replay.remark"), press.write, { on: writing })}
    ${(links.table ?? links.file) && renderTool("link", t("replay.link"), press.link)}
    ${
      links.file &&
      html`<a class="press plain tool" data-reel="file" href=${links.file} download
        aria-label=${t("replay.file")} title=${t("replay.file")}>
        ${renderIcon("file")}<span>${t("replay.tool.file")}</span>
      </a>`
    }
    ${renderTool("log", t("replay.log"), log)}${renderTool("help", t("help"), help)}
  </div>`;
}

/**
 * Renders a tool as a button with a caption under its picture.
 * @param {string} name
 * @param {string} label the full description
 * @param {() => void} click
 * @param {{on?: boolean, more?: string}} [how] `on`: state of a toggle button
 */
const renderTool = (name, label, click, { on, more = "" } = {}) =>
  html`<button type="button" class="press plain tool" data-reel=${name}
    aria-pressed=${on === undefined ? nothing : String(on)} aria-label=${label} title=${label}
    @click=${click}>
    ${name === "help" ? art("help") : renderIcon(name)}<span>${t(`replay.tool.${name}`)}</span>
    ${more ? html`<b class="reel-here">${more}</b>` : nothing}
  </button>`;

/**
 * Returns the sentence of the event that led to this moment.
 * @param {Controller} ctrl
 * @param {Player} player
 */
export function getEntrySentence(ctrl, { reel, at }) {
  const view = /** @type {View} */ (ctrl.view);
  const entry = reel.getEntry(at);
  if (!entry) return t("replay.start", { count: view.seats.length });
  return describeEvent(entry, view, ctrl.variant) || t("replay.nothing");
}

/** @param {Controller} ctrl @param {Player} player @param {string} words @param {ReplayState} state */
function renderMoment(ctrl, { reel, at }, words, { note, press, lay, remarks, writing }) {
  const view = /** @type {View} */ (ctrl.view);
  const entry = reel.getEntry(at);
  const undone = !!entry && reel.isUndone(entry);
  const playing = view.phase === "play" || view.phase === "roll_call";
  const now = playing ? ctrl.now : null;
  const danger = now?.mood === "danger" ? "mood-danger" : "";
  // The stage already shows windows and Kittens.
  const showsSentence = now && !view.window && view.turn?.step !== "kitten" && hasSentence(now.key);
  return html`<section class="now ${danger} ${undone ? "undone" : ""}" aria-label=${t("replay.now")}
    tabindex="-1">
    ${undone ? html`<span class="badge">${art("undo")}${t("replay.undone")}</span>` : nothing}
    <h1 class=${getLongClass(words, 24, 60)}>
      ${undone ? html`<del class="said">${words}</del>` : html`<span class="said">${words}</span>`}
    </h1>
    ${
      showsSentence
        ? html`<p class="hint">${renderSentence(ctrl.now.key, getNowlineFacts(ctrl))}</p>`
        : nothing
    }
    ${entry ? nothing : renderHouseRulesSentence(ctrl)}${lay ? renderKnownHand(view, lay.hands) : nothing}
    ${renderRemarks(view, remarks, reel.getVersion(at))}${renderRemarkForm(writing ? press.leave : null)}
    ${
      note
        ? html`<p class="toast" role="alert">
          <span class="grow">${note}</span><button type="button" class="press plain small"
            aria-label=${t("close")} @click=${press.hush}>
            ✕
          </button>
        </p>`
        : nothing
    }
  </section>`;
}

/**
 * Renders the turn player's hand, if it is known.
 * @param {View} view
 * @param {Record<string, string[]>} knownHands
 */
function renderKnownHand(view, knownHands) {
  const cards = getOwnValue(knownHands, view.turn?.seat);
  if (!cards) return nothing;
  const name = getSeatName(view, view.turn?.seat);
  return html`<p class="hint reel-hand">
    ${
      cards.length
        ? t("replay.hand", { name, cards: joinNames(cards.map(getCardTitle)) })
        : t("replay.hand.none", { name })
    }
  </p>`;
}

/**
 * Renders a note with the name of the person who steered the replay last, if several people watch it.
 * @param {View} view
 * @param {ReplayState} state
 */
function renderSteerNote(view, { together, here, steered }) {
  if (!together || here < 2 || !steered) return nothing;
  const name = steered === "you" ? "" : getSeatName(view, steered.by);
  const words =
    steered === "you"
      ? t("replay.steered.you")
      : steered.by === null
        ? t("replay.steered.spectator")
        : name
          ? renderSentence("replay.steered", { who: renderPlayerName(name) })
          : t("replay.steered.player");
  return html`<p class="steered soft" role="status">${words}</p>`;
}

/** @param {Controller} ctrl @param {View} view */
function renderStage(ctrl, view) {
  if (view.phase === "over")
    return html`<div class="stage reel-end" aria-hidden="true">${win()}</div>`;
  if (view.phase === "play" || view.phase === "roll_call") return getFamily().renderStage(ctrl);
  return html`<div class="stage roll" aria-hidden="true">${art("mark")}</div>`;
}
