/**
 * What can't easily be mended asks once more, in place: the first tap changes the button and puts
 * the question over it and a way back beside it; only the second tap says the command.
 */
import { html, nothing } from "../core/lit.js";
import { tag } from "../core/moves.js";
import { t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */

/**
 * @param {Controller} ctrl
 * @param {Command} command
 * @param {{label: unknown, ask: string, yes: string, kind?: string, spot?: string}} more `label` first, then `ask` and `yes`
 */
export function sure(ctrl, command, { label, ask, yes, kind = "danger", spot = "sheet" }) {
  const key = tag(command);
  const asking = ctrl.asking === key;
  const say = () =>
    ctrl.say(command, spot).then((answer) => answer?.ok && ctrl.sheet && ctrl.finish());
  return html`<div class="sure ${asking ? "asking" : ""}" role="group" aria-label=${asking ? ask : nothing}>
    ${asking ? html`<p role="alert">${ask}</p>` : nothing}
    <button type="button" class="press ${kind} ${ctrl.pending.has(key) ? "pending" : ""}" data-ask=${asking ? nothing : command.type} data-say=${asking ? command.type : nothing}
      aria-disabled=${asking && ctrl.settling ? "true" : nothing} @click=${(/** @type {Event} */ event) => (asking ? ctrl.settling || say() : question(ctrl, key, event))}>${asking ? yes : label}</button>
    ${asking ? html`<button type="button" class="press small" data-back @click=${(/** @type {Event} */ event) => back(ctrl, event)}>${t("sure.no")}</button>` : nothing}</div>`;
}

/** The question takes room of its own: it and both its answers stay in view. @param {Controller} ctrl @param {string} key @param {Event} event */
function question(ctrl, key, event) {
  const whole = /** @type {HTMLElement} */ (event.currentTarget).parentElement;
  ctrl.ask(key);
  requestAnimationFrame(() => whole?.scrollIntoView({ block: "nearest" }));
}

/** Nothing is said, and whoever came by keyboard is where they were. @param {Controller} ctrl @param {Event} event */
function back(ctrl, event) {
  /** @type {HTMLElement} */ (event.currentTarget).parentElement?.querySelector("button")?.focus();
  ctrl.set({ asking: null });
}
