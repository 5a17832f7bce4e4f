import assert from "node:assert/strict";
import { test } from "node:test";
import { getKeyCharacter } from "../../static/js/shell/keys.js";

const pressKey = (/** @type {string} */ key, /** @type {string} */ code, shiftKey = false) =>
  getKeyCharacter({ key, code, shiftKey });

test("a key of another script stands for the Latin letter in its position", () => {
  assert.equal(pressKey("т", "KeyN"), "n"); // Russian
  assert.equal(pressKey("Т", "KeyN", true), "n");
  assert.equal(pressKey("ν", "KeyN"), "n"); // Greek
  assert.equal(pressKey("ى", "KeyN"), "n"); // Arabic
  assert.equal(pressKey("Process", "KeyN"), "n"); // while a Japanese input method is active
});

test("a key that types a Latin letter stands for that letter on every keyboard layout", () => {
  assert.equal(pressKey("n", "KeyL"), "n"); // Dvorak
  assert.equal(pressKey("b", "KeyN"), "b");
  assert.equal(pressKey("N", "KeyN", true), "N");
});

test("a digit key works without Shift on layouts where digits need Shift", () => {
  assert.equal(pressKey("&", "Digit1"), "1"); // French
  assert.equal(pressKey("1", "Digit1", true), "1");
  assert.equal(pressKey("ě", "Digit2"), "2"); // Czech
  assert.equal(pressKey("!", "Digit1", true), "!");
  assert.equal(pressKey("?", "Digit7", true), "?"); // Russian
  assert.equal(pressKey("Escape", "Escape"), "Escape");
});
