/** The viewer's choice of language and of light or dark, at a table and on the start page. */
import { html } from "../core/lit.js";
import { current, languages, t } from "../core/text.js";

/** @typedef {(key: string, value: string) => void} Prefer keeps a choice */

/** @param {string | undefined} theme @param {Prefer} prefer */
export const looks = (
  theme,
  prefer,
) => html`${choice("theme", ["auto", "light", "dark"], theme ?? "auto", (value) => t(`theme.${value}`), prefer)}
  ${choice("language", Object.keys(languages()), current(), (value) => languages()[value] ?? value, prefer)}`;

/** One of a few values as a row of buttons. @param {string} key @param {string[]} values @param {string} chosen @param {(value: string) => string} label @param {Prefer} prefer */
function choice(key, values, chosen, label, prefer) {
  return html`<fieldset class="choice"><legend>${t(`menu.${key}`)}</legend>${values.map(
    (value) =>
      html`<label><input type="radio" name=${key} .checked=${value === chosen} @change=${() => prefer(key, value)}><span>${label(value)}</span></label>`,
  )}</fieldset>`;
}
