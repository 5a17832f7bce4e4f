/**
 * The panel by keyboard: the digits are the family's, N is a Nope, P a pass, H holds, S and K say
 * what was drawn, ? is help, Escape puts away. Whatever else is a button is reached by Tab. And
 * focus is never lost when what had it goes away.
 * @import { Controller } from "../core/controller.js"
 */
import { family, isLoaded } from "../core/family.js";

/** @type {Record<string, string>} */
const LETTERS = {
  n: ".window-dock [data-say=nope]",
  p: ".window-dock [data-say=pass]",
  h: ".window-dock [data-say=hold], .window-dock [data-say=release]",
  s: ".dock [data-say=safe]",
  k: ".dock [data-say=kitten]",
};

/** @param {KeyboardEvent} event @param {Controller} ctrl @param {Document} doc */
export function press(event, ctrl, doc) {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    (writing(event.target) && !(event.key === "Escape" && empty(event.target)))
  )
    return;
  const key = meant(event);
  const done =
    key === "Escape"
      ? putAway(ctrl)
      : isLoaded() &&
        !ctrl.sheet &&
        ((/^[1-9]$/.test(key) && family().pressDigit(Number(key), doc)) || letter(key, ctrl, doc));
  if (done) event.preventDefault();
}

/**
 * What a key means: what it writes, or by its place what it would write on a Latin keyboard. Whoever
 * writes another script, or digits with Shift, has no other N or 1.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event
 */
export function meant({ key, code, shiftKey }) {
  const [, letter, digit] = /^Key([A-Z])$|^Digit([1-9])$/.exec(code) ?? [];
  if (letter && (key > "\x7f" || key === "Process")) return letter.toLowerCase();
  return digit && !shiftKey && !/^\d$/.test(key) ? digit : key;
}

/** @param {EventTarget | null} target */
const writing = (target) =>
  target instanceof Element &&
  target.matches("input:not([type=checkbox], [type=radio], [type=range]), select, textarea");

/** @param {EventTarget | null} target */
const empty = (target) => target instanceof HTMLInputElement && !target.value;

/** @param {Controller} ctrl */
function putAway(ctrl) {
  if (!ctrl.sheet && !ctrl.aim && !ctrl.draft && !ctrl.boom && !ctrl.asking) return false;
  if (ctrl.asking) ctrl.set({ asking: null });
  else if (ctrl.sheet) ctrl.closeSheet();
  else if (ctrl.whom) ctrl.set({ whom: null });
  else ctrl.set({ aim: null, draft: null, boom: null });
  return true;
}

/** @param {string} key @param {Controller} ctrl @param {Document} doc */
function letter(key, ctrl, doc) {
  if (key === "?") {
    ctrl.openHelp();
    return true;
  }
  const button = /** @type {HTMLElement | null} */ (
    doc.querySelector(
      family().letterSelectors[key.toLowerCase()] ?? LETTERS[key.toLowerCase()] ?? "nothing",
    )
  );
  button?.click();
  return !!button;
}

/**
 * Draws, and looks after the focus: into a sheet that opens, back to what opened it, and
 * to the now-line when the button that had it is gone.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function keepFocus(root, draw) {
  const doc = root.ownerDocument;
  const had = doc.activeElement;
  const within = had instanceof HTMLElement && root.contains(had) ? had : null;
  const before = root.querySelector(".sheet");
  draw();
  const sheet = /** @type {HTMLElement | null} */ (root.querySelector(".sheet"));
  if (sheet && !before) {
    opener = within;
    sheet.focus();
  } else if (!sheet && before) back(root);
  else if (
    within &&
    (!root.contains(within) || /** @type {HTMLButtonElement} */ (within).disabled)
  ) {
    (sheet ?? /** @type {HTMLElement | null} */ (root.querySelector(".now, main h1")))?.focus({
      preventScroll: true,
    });
  }
}

/** @type {HTMLElement | null} */
let opener = null;

/** @param {HTMLElement} root */
function back(root) {
  const to =
    opener && root.contains(opener)
      ? opener
      : /** @type {HTMLElement | null} */ (root.querySelector(".now"));
  to?.focus({ preventScroll: true });
  opener = null;
}
