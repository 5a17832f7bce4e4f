/**
 * What this device remembers: seats' tokens and the viewer's choices. It may have been written by
 * anybody, and by an older page: what isn't as it must be is nothing. Where nothing can be stored, as in
 * a frame of another site's page, it goes along from page to page in the tab's own history, which no
 * address, referrer or log shows, and is gone once the tab is closed.
 */
import { valueAt } from "./value.js";
import { decodePart } from "./page.js";

/** What is kept where nothing can be stored. @type {Map<string, string>} */
const spare = new Map();

/** Whether what is kept is gone once the tab is closed. */
export const isTemporary = !!globalThis.history && !hasStorage();

function hasStorage() {
  try {
    return !!globalThis.localStorage;
  } catch {
    return false;
  }
}

if (isTemporary) {
  for (const [key, value] of Object.entries(history.state?.kept ?? {})) spare.set(key, value);
  addEventListener("hashchange", note);
  addEventListener("popstate", note);
  document.addEventListener("click", follow);
}

/** Notes in the tab's history what is kept. */
function note() {
  if (isTemporary) history.replaceState({ ...history.state, kept: Object.fromEntries(spare) }, "");
}

/**
 * Another page of ours opens, and finds in `history.state` what it is handed.
 * @param {string} address
 * @param {object} [handed]
 */
export function openPage(address, handed) {
  if (!isTemporary && !handed) return location.assign(address);
  history.pushState({ kept: Object.fromEntries(spare), ...handed }, "", address);
  location.reload();
}

const path = globalThis.location?.pathname;
// To the browser both pages are one, which went from one address to the other.
globalThis.addEventListener?.("popstate", () => location.pathname !== path && location.reload());

/** A link to another page of ours hands on what is kept. @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element && event.target.closest("a");
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!link || elsewhere || event.defaultPrevented || link.target) return;
  if (link.hasAttribute("download")) return;
  if (link.origin !== location.origin || link.pathname === path) return;
  event.preventDefault();
  openPage(link.href);
}

/** @typedef {(found: any) => boolean} Fits */

/** @type {Fits} */
export const isText = (found) => typeof found === "string";
/** @type {Fits} */
export const isRecord = (found) =>
  typeof found === "object" && found !== null && !Array.isArray(found);
/** @type {(each: Fits) => Fits} */
export const isListOf = (each) => (found) => Array.isArray(found) && found.every(each);

/**
 * What is kept under a key, if it is what is kept there.
 * @param {string} key
 * @param {Fits} fits
 * @returns {any}
 */
export function recall(key, fits) {
  try {
    const found = JSON.parse(readItem(key) ?? "null");
    return fits(found) ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} key */
function readItem(key) {
  try {
    return localStorage.getItem(`hiss.${key}`);
  } catch {
    return spare.get(key);
  }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  spare.set(key, JSON.stringify(value));
  note();
  try {
    if (value === null) localStorage.removeItem(`hiss.${key}`);
    else localStorage.setItem(`hiss.${key}`, JSON.stringify(value));
  } catch {
    // No storage, or it is full: the spare copy has to do.
  }
}

/** The viewer's choices that aren't yes or no. @type {Record<string, Fits>} */
const CHOICES = {
  name: isText,
  game: isText,
  theme: isText,
  language: isText,
  lens: isRecord,
  practice: isRecord,
  lessons: (found) => isRecord(found) && (!found.table || isListOf(isText)(found.seen)),
  box: (found) => isRecord(found) && isText(found.edition) && Number.isInteger(found.players),
};

/** The viewer's choices. @returns {Record<string, any>} */
export const recallChoices = () =>
  Object.fromEntries(
    Object.entries(recall("prefs", isRecord) ?? {}).filter(([key, found]) =>
      (valueAt(CHOICES, key) ?? ((one) => typeof one === "boolean"))(found),
    ),
  );

/** The tables of this device, the newest first. @returns {string[]} */
export const recentTables = () => recall("tables", isListOf(isText)) ?? [];

/**
 * A table's code as it is written: capitals, without spaces, dashes, characters that nobody sees, and what
 * stands around it in a sentence. The server reads it in the same way (`as_code`).
 * @param {string} code
 */
export const normalizeCode = (code) =>
  code
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}_−]/gu, "")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");

/** The code that an address names. @param {string} part of its path */
export const codeIn = (part) => normalizeCode(decodePart(part) ?? part);

/** What follows a link in a sentence, and isn't its own. */
const AFTER = /[^\p{L}\p{N}_-]+$/u;

/**
 * The code in what somebody typed, or in a link that they pasted; and what else the link leads to,
 * which is a seat or a replay.
 * @param {string} typed
 */
export function parseLink(typed) {
  const seen = typed.replace(/\p{Cf}/gu, "");
  const [, code, rest = ""] =
    /\/t\/([^/?#\s]+)(?:\?[^#\s]*)?(\/replay\/\d+\S*|#\S+)?/i.exec(seen) ?? [];
  const last = seen.trim().split("/").findLast(normalizeCode) ?? "";
  return { code: codeIn(code ?? last), rest: code ? rest.replace(AFTER, "") : "" };
}

/** @param {string} table @returns {{seat: string, token: string} | null} */
export const storedSeat = (table) =>
  recall(
    `seat.${normalizeCode(table)}`,
    (found) => isRecord(found) && isText(found.seat) && isText(found.token),
  );

/** @param {{table: string, seat: string, token: string}} place */
export function storeSeat({ table, seat, token }) {
  keep(`seat.${normalizeCode(table)}`, { seat, token });
  answerCookie(table, null);
  const others = recentTables().filter((code) => code !== table);
  keep("tables", [table, ...others].slice(0, 5));
  for (const code of others.slice(4)) keep(`last.${code}`, null);
}

/**
 * The seat of this browser's cookie that the viewer said is theirs; false: they said that it isn't.
 * @param {string} table
 * @returns {string | false | null}
 */
export const cookieAnswer = (table) =>
  recall(`cookie.${normalizeCode(table)}`, (found) => isText(found) || found === false);

/** @param {string} table @param {string | false | null} answer */
export const answerCookie = (table, answer) => keep(`cookie.${normalizeCode(table)}`, answer);

/** @param {string} table */
export const forgetSeat = (table) => keep(`seat.${normalizeCode(table)}`, null);
