/**
 * Handles keyboard shortcuts: N plays a Nope, P passes, H holds or releases a window, S and K
 * report the drawn card as safe or a Kitten, ? opens the help sheet, and Escape closes what is
 * open. The family of games handles the digits. All other buttons are reached with Tab. This module
 * also moves the focus when the focused element disappears.
 * @import { Controller } from "../core/controller.js"
 */
import { getFamily, isFamilyLoaded } from "../core/family.js";

/** The selector of the button that a key presses, by letter. @type {Record<string, string>} */
const LETTERS = {
  n: ".window-dock [data-say=nope]",
  p: ".window-dock [data-say=pass]",
  h: ".window-dock [data-say=hold], .window-dock [data-say=release]",
  s: ".dock [data-say=safe]",
  k: ".dock [data-say=kitten]",
};

/** Handles a key press. @param {KeyboardEvent} event @param {Controller} ctrl @param {Document} doc */
export function handleKeyPress(event, ctrl, doc) {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    (isTextField(event.target) && !(event.key === "Escape" && isEmptyInput(event.target)))
  )
    return;
  const key = getKeyCharacter(event);
  // A key that is held down presses its button only once, because the next button may be another one.
  if (event.repeat && key !== "Escape") {
    if (key === "Enter") event.preventDefault();
    return;
  }
  if (ctrl.scene?.covers && ["Escape", "Enter", " "].includes(key)) {
    // Enter and the space bar press the focused button only if the viewer has moved the focus to it
    // during the scene. Otherwise they end the scene, as Escape does.
    const isAimed = key !== "Escape" && doc.activeElement !== ctrl.scene.focused;
    if (!isAimed || !ctrl.scene.layer?.contains(doc.activeElement)) ctrl.scene.skip();
    if (!isAimed) event.preventDefault();
    return;
  }
  const done =
    key === "Escape"
      ? closeTopmost(ctrl)
      : isFamilyLoaded() &&
        !ctrl.sheet &&
        ((/^[1-9]$/.test(key) && getFamily().pressDigit(Number(key), doc)) ||
          pressLetterButton(key, ctrl, doc));
  if (!done) return;
  ctrl.scene?.skip();
  event.preventDefault();
}

/**
 * Returns the character of a key, for shortcuts. If the keyboard has another script, or needs Shift
 * for digits, returns the character at the same position of a Latin keyboard.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event
 */
export function getKeyCharacter({ key, code, shiftKey }) {
  const [, letter, digit] = /^Key([A-Z])$|^Digit([1-9])$/.exec(code) ?? [];
  if (letter && (key > "\x7f" || key === "Process")) return letter.toLowerCase();
  return digit && !shiftKey && !/^\d$/.test(key) ? digit : key;
}

/** Returns true if the viewer can type into this element. @param {EventTarget | null} target */
const isTextField = (target) =>
  target instanceof Element &&
  target.matches("input:not([type=checkbox], [type=radio], [type=range]), select, textarea");

/** @param {EventTarget | null} target */
const isEmptyInput = (target) => target instanceof HTMLInputElement && !target.value;

/**
 * Closes the topmost question, sheet or unfinished choice. Returns false if nothing is open.
 * @param {Controller} ctrl
 */
function closeTopmost(ctrl) {
  if (!ctrl.sheet && !ctrl.aimedCard && !ctrl.draft && !ctrl.explosion && !ctrl.commandToConfirm)
    return false;
  if (ctrl.commandToConfirm) ctrl.set({ commandToConfirm: null });
  else if (ctrl.sheet) ctrl.closeSheet();
  else if (ctrl.chosenTarget) ctrl.set({ chosenTarget: null });
  else ctrl.set({ aimedCard: null, draft: null, explosion: null });
  return true;
}

/**
 * Clicks the button that belongs to a letter. Returns false if the page doesn't have the button.
 * @param {string} key
 * @param {Controller} ctrl
 * @param {Document} doc
 */
function pressLetterButton(key, ctrl, doc) {
  if (key === "?") {
    ctrl.openHelp();
    return true;
  }
  const button = /** @type {HTMLElement | null} */ (
    doc.querySelector(
      getFamily().letterSelectors[key.toLowerCase()] ?? LETTERS[key.toLowerCase()] ?? "nothing",
    )
  );
  button?.click();
  return !!button;
}

/**
 * Redraws the page and then moves the focus. It moves into a sheet that has opened, back to the
 * button that opened a sheet that has closed, or to the now-line (the sentence about the next
 * action) if the focused element has disappeared.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function keepFocus(root, draw) {
  const doc = root.ownerDocument;
  const focused = doc.activeElement;
  const focusedInside = focused instanceof HTMLElement && root.contains(focused) ? focused : null;
  const sheetBefore = root.querySelector(".sheet");
  draw();
  const sheet = /** @type {HTMLElement | null} */ (root.querySelector(".sheet"));
  if (sheet && !sheetBefore) {
    opener = focusedInside;
    sheet.focus();
  } else if (!sheet && sheetBefore) returnFocus(root);
  else if (
    focusedInside &&
    (!root.contains(focusedInside) || /** @type {HTMLButtonElement} */ (focusedInside).disabled)
  ) {
    (sheet ?? /** @type {HTMLElement | null} */ (root.querySelector(".now, main h1")))?.focus({
      preventScroll: true,
    });
  }
}

/** The button that opened the sheet. @type {HTMLElement | null} */
let opener = null;

/**
 * Moves the focus back to the button that opened the sheet, or to the now-line.
 * @param {HTMLElement} root
 */
function returnFocus(root) {
  const to =
    opener && root.contains(opener)
      ? opener
      : /** @type {HTMLElement | null} */ (root.querySelector(".now"));
  to?.focus({ preventScroll: true });
  opener = null;
}
