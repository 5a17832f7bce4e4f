/**
 * The values that this device stores in localStorage: the tokens of seats and the viewer's
 * preferences. A value may have been stored by an older page or edited by hand, so every value is
 * validated when it is read. An invalid value is treated as missing.
 *
 * If localStorage is unavailable, as in a frame on another site, the values are kept in the
 * tab's history state, which is passed from page to page and appears in no URL, referrer or log.
 * They are lost when the tab is closed.
 */
import { getOwnValue } from "./value.js";
import { decodeUrlPart } from "./page.js";

/**
 * The values that this page couldn't write to localStorage, because it is unavailable or full.
 * @type {Map<string, string>}
 */
const fallback = new Map();

/**
 * True if this page uses no seat of this device and stores nothing, so that it doesn't disturb the
 * panel in another window.
 */
let isOnlooker = false;

/** Makes this page an onlooker: it uses no seat of this device, and stores nothing. */
export function becomeOnlooker() {
  isOnlooker = true;
}

/** True if stored values are lost when the tab is closed. */
export const isStorageTemporary = !!globalThis.history && !hasStorage();

function hasStorage() {
  try {
    return !!globalThis.localStorage;
  } catch {
    return false;
  }
}

if (isStorageTemporary) {
  for (const [key, value] of Object.entries(history.state?.kept ?? {})) fallback.set(key, value);
  addEventListener("hashchange", copyToHistory);
  addEventListener("popstate", copyToHistory);
  document.addEventListener("click", followLink);
}

/** Copies the stored values into the tab's history state if localStorage is unavailable. */
function copyToHistory() {
  if (isStorageTemporary)
    history.replaceState({ ...history.state, kept: Object.fromEntries(fallback) }, "");
}

/**
 * Opens another page of this server.
 * @param {string} address
 * @param {object} [state] values that the opened page will find in `history.state`
 */
export function openPage(address, state) {
  if (!isStorageTemporary && !state) return location.assign(address);
  history.pushState({ kept: Object.fromEntries(fallback), ...state }, "", address);
  location.reload();
}

const path = globalThis.location?.pathname;
// For the browser, `pushState` makes both pages one document, so Back has to reload the page.
globalThis.addEventListener?.("popstate", () => location.pathname !== path && location.reload());

/**
 * Returns the link that this click opens in the same tab, if any. The link may be in another window.
 * @param {MouseEvent} event
 */
export function findLinkToFollow(event) {
  const link = /** @type {Element} */ (event.target).closest?.("a");
  const otherTab = event.button || event.ctrlKey || event.metaKey || event.shiftKey;
  const opens = link?.href && !link.target && !link.hasAttribute("download");
  return opens && !otherTab && !event.defaultPrevented ? link : null;
}

/**
 * Opens a link to another page of this server in a way that keeps the stored values.
 * @param {MouseEvent} event
 */
function followLink(event) {
  const link = findLinkToFollow(event);
  if (link?.origin !== location.origin || link.pathname === path) return;
  event.preventDefault();
  openPage(link.href);
}

/**
 * A function that returns true if a stored value is valid.
 * @typedef {(value: any) => boolean} Fits
 */

/** @type {Fits} */
export const isText = (value) => typeof value === "string";
/** @type {Fits} */
export const isRecord = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(each: Fits) => Fits} */
export const isListOf = (each) => (value) => Array.isArray(value) && value.every(each);

/**
 * Returns the value stored under a key, or null if there is none or it is invalid.
 * @param {string} key
 * @param {Fits} fits
 * @returns {any}
 */
export function readValue(key, fits) {
  try {
    const value = JSON.parse(readItem(key) ?? "null");
    return fits(value) ? value : null;
  } catch {
    return null;
  }
}

/** @param {string} key */
function readItem(key) {
  return fallback.get(key) ?? localStorage.getItem(`hiss.${key}`);
}

/** Stores a value under a key; null removes it. @param {string} key @param {unknown} value */
export function storeValue(key, value) {
  if (isOnlooker) return;
  fallback.set(key, JSON.stringify(value));
  copyToHistory();
  try {
    if (value === null) localStorage.removeItem(`hiss.${key}`);
    else localStorage.setItem(`hiss.${key}`, JSON.stringify(value));
    fallback.delete(key);
  } catch {
    // localStorage is unavailable or full. The value is in `fallback`.
  }
}

/**
 * For each preference that isn't a boolean, a function that returns true if a value is valid.
 * @type {Record<string, Fits>}
 */
const CHOICES = {
  name: isText,
  game: isText,
  theme: isText,
  language: isText,
  oddsHint: isText,
  lens: isRecord,
  practice: isRecord,
  lessons: (value) => isRecord(value) && (!value.table || isListOf(isText)(value.seen)),
  box: (value) => isRecord(value) && isText(value.edition) && Number.isInteger(value.players),
};

/**
 * Returns the viewer's valid preferences. An onlooker has only their theme and language, and hides
 * the table's code.
 * @returns {Record<string, any>}
 */
export function readPreferences() {
  const stored = Object.fromEntries(
    Object.entries(readValue("prefs", isRecord) ?? {}).filter(([key, value]) =>
      (getOwnValue(CHOICES, key) ?? ((choice) => typeof choice === "boolean"))(value),
    ),
  );
  return isOnlooker ? { veil: true, theme: stored.theme, language: stored.language } : stored;
}

/**
 * Changes some of the viewer's preferences. Keeps all others as they are stored, because another
 * window may have changed them since this page read them.
 * @param {Record<string, unknown>} change
 */
export const storePreferences = (change) =>
  storeValue("prefs", { ...readPreferences(), ...change });

/**
 * Returns the codes of the tables where this device has had a seat, the newest first.
 * @returns {string[]}
 */
export const readRecentTables = () => readValue("tables", isListOf(isText)) ?? [];

/**
 * Normalizes a table's code: returns it in capitals, without spaces, dashes, invisible characters,
 * or punctuation around it. The server's `parse_code` normalizes codes in the same way.
 * @param {string} code
 */
export const normalizeCode = (code) =>
  code
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}_−]/gu, "")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");

/**
 * Returns the table's code that a part of a URL's path contains.
 * @param {string} part of its path
 */
export const parseCode = (part) => normalizeCode(decodeUrlPart(part) ?? part);

/** Matches punctuation at the end of a link, such as the full stop of a sentence. */
const AFTER = /[^\p{L}\p{N}_-]+$/u;

/**
 * Finds the table's code in typed text or in a pasted link. Also returns the rest of the link,
 * which may name a seat or a replay.
 * @param {string} typed
 */
export function parseLink(typed) {
  const seen = typed.replace(/\p{Cf}/gu, "");
  const [, code, rest = ""] =
    /\/t\/([^/?#\s]+)(?:\?[^#\s]*)?(\/replay\/\d+\S*|#\S+)?/i.exec(seen) ?? [];
  const last = seen.trim().split("/").findLast(normalizeCode) ?? "";
  return { code: parseCode(code ?? last), rest: code ? rest.replace(AFTER, "") : "" };
}

/**
 * Returns this device's seat at a table, with its token.
 * @param {string} table
 * @returns {{seat: string, token: string} | null}
 */
export const readStoredSeat = (table) =>
  isOnlooker
    ? null
    : readValue(
        `seat.${normalizeCode(table)}`,
        (value) => isRecord(value) && isText(value.seat) && isText(value.token),
      );

/**
 * Stores this device's seat at a table.
 * @param {{table: string, seat: string, token: string}} grant
 */
export function storeSeat({ table, seat, token }) {
  storeValue(`seat.${normalizeCode(table)}`, { seat, token });
  storeCookieAnswer(table, null);
  const others = readRecentTables().filter((code) => code !== table);
  storeValue("tables", [table, ...others].slice(0, 5));
  for (const code of others.slice(4)) storeValue(`last.${code}`, null);
}

/**
 * Returns the viewer's answer to the question whether the seat in this browser's cookie is theirs:
 * the seat if it is, false if it isn't, or null if the viewer hasn't been asked.
 * @param {string} table
 * @returns {string | false | null}
 */
export const readCookieAnswer = (table) =>
  readValue(`cookie.${normalizeCode(table)}`, (value) => isText(value) || value === false);

/** @param {string} table @param {string | false | null} answer */
export const storeCookieAnswer = (table, answer) =>
  storeValue(`cookie.${normalizeCode(table)}`, answer);

/** @param {string} table */
export const deleteStoredSeat = (table) => storeValue(`seat.${normalizeCode(table)}`, null);
