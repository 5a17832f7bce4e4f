/** Short lines that players left at moments of a game: those of the moment that is shown, and one of one's own. */
import { html, nothing } from "../core/lit.js";
import { nameOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { named } from "../shell/parts.js";

/** @import { View } from "../core/types.js" */

/** @typedef {{moment: number, at: number, seat: string, text: string}} Remark */

export const LONGEST = 120;

/** What was left at this moment. @param {View} view @param {Remark[]} remarks @param {number} moment */
export const left = (view, remarks, moment) =>
  remarks
    .filter((one) => one.moment === moment)
    .map(
      ({ seat, text }) =>
        html`<p class="remark"><b>${named(nameOf(view, seat))}</b> <bdi>${text}</bdi></p>`,
    );

/** A line of one's own. @param {((text: string) => void) | null} leave null: not now */
export const form = (leave) =>
  leave
    ? html`<form class="row remark-form" @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.target);
        leave(String(new FormData(form).get("text") ?? ""));
      }}><input class="grow" name="text" required maxlength=${LONGEST} autocomplete="off" aria-label=${t("replay.remark")} placeholder=${t("replay.remark")}>
        <button class="press small main">${t("replay.remark.leave")}</button></form>`
    : nothing;
