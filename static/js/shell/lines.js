/** Renders the log, with the newest line first. A line is only redrawn when its text changes. */
import { getFamily } from "../core/family.js";
import { guard, html, nothing, repeat } from "../core/lit.js";
import { findSeat } from "../core/moves.js";
import { getLanguage, t } from "../core/text.js";
import { findFirstUndone, createUndoneTest } from "../core/undone.js";
import { describeEvent } from "../core/wording.js";
import { art, renderCardBadge, renderEmblem } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Entry, View } from "../core/types.js" */

/**
 * Renders the log. A view contains only the newest entries. If there are older ones, a note says
 * so.
 * @param {Controller} ctrl
 * @param {Entry[]} [whole] the whole log, if it is loaded
 */
export function renderLog(ctrl, whole) {
  const view = /** @type {View} */ (ctrl.view);
  const log = whole ?? view.log;
  const entries = log.filter((entry) => entry.text).toReversed();
  const isUndone = createUndoneTest(log);
  const hasOlderEntries = !whole && !ctrl.showVersion && (log[0]?.version ?? 1) > 1;
  const people = [ctrl.me, ...view.seats.flatMap(({ seat, name }) => [seat, name])].join();
  const renderCachedLine = (/** @type {Entry} */ entry) => {
    const [fresh, struck, what] = [ctrl.isNew(entry), isUndone(entry), findFirstUndone(log, entry)];
    const rests = [entry, fresh, struck, what, people, ctrl.variant, getLanguage()];
    return guard(rests, () => renderLogLine(ctrl, entry, { fresh, struck, what }));
  };
  return html`<ol class="log" reversed>${repeat(entries, ({ version }) => version, renderCachedLine)}
    ${entries.length ? nothing : html`<li class="soft">${t("log.empty")}</li>`}
    ${hasOlderEntries ? html`<li class="soft" data-more>${t("log.newest")}</li>` : nothing}</ol>`;
}

/**
 * Renders one line. If the entry is an undo, `what` is the first entry that it has undone.
 * @param {Controller} ctrl
 * @param {Entry} entry
 * @param {{fresh: boolean, struck: boolean, what: Entry | undefined}} how
 */
function renderLogLine(ctrl, entry, { fresh, struck: isStruck, what }) {
  const text = isStruck ? renderUndoneLine(ctrl, entry) : renderValidLine(ctrl, entry, what);
  return html`<li class="log-${entry.type} ${fresh ? "fresh" : ""}">
    ${renderEntryEmblem(ctrl, entry)}${renderEntrySign(entry)}${
      ctrl.showVersion
        ? html`<button type="button" class="press plain to-moment"
          @click=${() => ctrl.showVersion?.(entry.version)}>${text}</button>`
        : text
    }
  </li>`;
}

/** Renders the emblem of the seat that the entry is about. @param {Controller} ctrl @param {Entry} entry */
const renderEntryEmblem = (ctrl, { seat }) =>
  html`<span class="sign">
    ${seat && ctrl.view && findSeat(ctrl.view, seat) ? renderEmblem(ctrl, seat) : nothing}
  </span>`;

/**
 * Renders the text of an entry that is still valid. For an undo, adds the text of the entry that
 * was undone.
 * @param {Controller} ctrl
 * @param {Entry} entry
 * @param {Entry} [what]
 */
const renderValidLine = (ctrl, entry, what) =>
  html`<span class="said">${describeEvent(entry, /** @type {View} */ (ctrl.view), ctrl.variant)}${
    what ? html` ${renderUndoneLine(ctrl, what)}` : nothing
  }</span>`;

/**
 * Renders the text of an undone entry: struck through, with a note for screen readers.
 * @param {Controller} ctrl
 * @param {Entry} entry
 */
function renderUndoneLine(ctrl, entry) {
  const text = describeEvent(entry, /** @type {View} */ (ctrl.view), ctrl.variant);
  return html`<del><span class="unseen">${t("log.undone")} </span><span class="said">${text}</span></del>`;
}

/** @type {Record<string, string>} */
const SIGNS = {
  nope_played: "nope",
  kitten_shown: "kitten",
  kitten_defused: "defuse",
  went_out: "boom",
  undone: "undo",
  back_asked: "undo",
  game_won: "crown",
};

/** @param {Entry} entry */
function renderEntrySign(entry) {
  const card = entry.facts?.card;
  const icon = getFamily().eventSigns[entry.type] ?? SIGNS[entry.type];
  return html`<span class="sign">
    ${icon ? art(icon) : typeof card === "string" ? renderCardBadge(card) : entry.seat ? nothing : "·"}
  </span>`;
}
