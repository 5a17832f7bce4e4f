/**
 * Renders the choices of language and theme for the menu and the start page. Also renders two parts
 * of the start page. One is the choice of the game for a new table: first the family, then the
 * variant if there are several, then the expansion if the box has any. The other is the button that
 * opens the file of a finished game.
 */
import { html, nothing } from "../core/lit.js";
import { openPage } from "../core/memory.js";
import { resolvePath } from "../core/page.js";
import { getLanguage, hasSentence, getAvailableLanguages, t } from "../core/text.js";
import { findFileProblem } from "../core/upload.js";

/** @typedef {(key: string, value: string) => void} Prefer stores the value chosen for a setting */

/** Renders the choices of theme and language. @param {string | undefined} theme @param {Prefer} prefer */
export const renderThemeAndLanguageChoices = (theme, prefer) => [
  renderRadioButtons(
    "theme",
    ["auto", "light", "dark"],
    theme ?? "auto",
    (theme) => t(`theme.${theme}`),
    prefer,
  ),
  renderRadioButtons(
    "language",
    Object.keys(getAvailableLanguages()),
    getLanguage(),
    (code) => getAvailableLanguages()[code] ?? code,
    prefer,
  ),
  html`<p class="soft more-languages">${t("menu.language.more")}</p>`,
];

/**
 * Renders radio buttons in a row.
 * @param {string} key
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => string} label
 * @param {Prefer} prefer
 */
function renderRadioButtons(key, values, chosen, label, prefer) {
  return html`<fieldset class="choice">
    <legend>${t(`menu.${key}`)}</legend>
    ${values.map(
      (value) =>
        html`<label>
          <input type="radio" name=${key} .checked=${value === chosen}
            @change=${() => prefer(key, value)}>
          <span>${label(value)}</span>
        </label>`,
    )}
  </fieldset>`;
}

/**
 * A variant, in the form in which `GET /api/variants` lists it. `expansions` are those of a box, each
 * with the variant to play it with. Such a variant has the id of its box in `expands`.
 * @typedef {{id: string, family: string, title: string, titles?: Record<string, string>, language?:
 *   string, players: {least: number, most: number}, expands?: string, expansions?: Expansion[]}} Game
 */
/** @typedef {{id: string, titles: Record<string, string>, variant: string}} Expansion */

/**
 * Renders the choice of the game for a new table, if there are several games.
 * @param {Game[]} variants the variants; the first is the default
 * @param {string | undefined} chosen a game's id
 * @param {(id: string) => void} choose
 */
export function renderGameChoice(variants, chosen, choose) {
  const boxes = variants.filter(({ expands }) => !expands);
  const families = [...new Set(boxes.map((variant) => variant.family))];
  const game = variants.find((variant) => variant.id === chosen) ?? variants[0];
  const box = boxes.find(({ id }) => id === game?.expands) ?? game;
  if (!game || !box || variants.length < 2) return nothing;
  const alike = boxes.filter((variant) => variant.family === game.family);
  return html`<fieldset class="choice games">
    <legend>${t("games")}</legend>
    ${families.map((family) => {
      const alike = boxes.filter((variant) => variant.family === family);
      const first = alike.find((variant) => variant.language === getLanguage()) ?? alike[0];
      return html`<label>
        <input type="radio" name="family" value=${family} .checked=${family === game.family}
          @change=${() => choose(String(first?.id))}>
        <span>${getFamilyTitle(family)}</span>
      </label>`;
    })}
  </fieldset>
    ${
      alike.length > 1
        ? renderVariantSelect(alike, box, (id) => choose(findSameExpansion(boxes, game, id)))
        : html`<input type="hidden" name="variant" value=${box.id}>`
    }
    ${box.expansions ? renderExpansionSelect(box, box.expansions, game, choose) : nothing}
    <p class="soft games-players">
      ${t("games.players", { least: game.players.least, most: game.players.most })}
    </p>`;
}

/**
 * Renders the select element for a family's variants.
 * @param {Game[]} alike
 * @param {Game} game
 * @param {(id: string) => void} choose
 */
const renderVariantSelect = (alike, game, choose) =>
  html`<label class="field">
    <span>${t("games.which")}</span>
    <select name="variant"
      @change=${(/** @type {Event} */ event) =>
        choose(/** @type {HTMLSelectElement} */ (event.target).value)}>
      ${alike.map(
        (variant) =>
          html`<option value=${variant.id} ?selected=${variant === game}>
            ${variant.titles?.[getLanguage()] ?? variant.title}
          </option>`,
      )}
    </select>
  </label>`;

/**
 * Returns the id of the variant for another box. If the game has an expansion that this box has too,
 * the expansion stays chosen.
 * @param {Game[]} boxes
 * @param {Game} game the game chosen before
 * @param {string} id of the other box
 */
function findSameExpansion(boxes, game, id) {
  const findExpansions = (/** @type {string | undefined} */ box) =>
    boxes.find((one) => one.id === box)?.expansions ?? [];
  const played = findExpansions(game.expands).find(({ variant }) => variant === game.id);
  return findExpansions(id).find((expansion) => expansion.id === played?.id)?.variant ?? id;
}

/**
 * Renders the choice of the expansion to play with, if any.
 * @param {Game} box
 * @param {Expansion[]} expansions
 * @param {Game} game
 * @param {(id: string) => void} choose
 */
const renderExpansionSelect = (box, expansions, game, choose) =>
  html`<label class="field">
    <span>${t("games.expansion")}</span>
    <select name="expansion"
      @change=${(/** @type {Event} */ event) =>
        choose(/** @type {HTMLSelectElement} */ (event.target).value)}>
      <option value=${box.id} ?selected=${game === box}>${t("games.expansion.none")}</option>
      ${expansions.map(
        ({ titles, variant }) =>
          html`<option value=${variant} ?selected=${variant === game.id}>
            ${titles[getLanguage()] ?? Object.values(titles)[0]}
          </option>`,
      )}
    </select>
  </label>`;

/** Returns the title of a family of games. @param {string} family */
export const getFamilyTitle = (family) =>
  hasSentence(`games.${family}`) ? t(`games.${family}`) : family;

/** Size limit of a game's file, in bytes. */
const LARGEST_FILE = 512 * 1024;

/**
 * Opens the replay of a game file, unless it is too large or unreadable.
 * @param {File | undefined} file
 * @param {(key: string) => void} refuse called with the text key of the reason, if the file can't be opened
 */
async function openGameFile(file, refuse) {
  if (!file) return;
  const key = file.size > LARGEST_FILE ? "file.large" : await findFileProblem(file);
  if (key) refuse(key);
  else openPage(resolvePath("/t/file/replay/1"), { file: await file.text() });
}

/**
 * Renders the button that opens a game file. The file can also be dropped anywhere on the page.
 * @param {(key: string) => void} refuse called with the text key of the reason, if the file can't be opened
 */
export function renderGameFileButton(refuse) {
  globalThis.ondragover = (event) => event.preventDefault();
  globalThis.ondrop = (event) => {
    event.preventDefault();
    openGameFile(event.dataTransfer?.files[0], refuse);
  };
  return html`<label class="press file">
    ${t("file.open")}
    <input class="unseen" type="file" accept=".json,application/json"
      @change=${(/** @type {Event} */ { target }) =>
        openGameFile(/** @type {HTMLInputElement} */ (target).files?.[0], refuse)}>
  </label>`;
}
