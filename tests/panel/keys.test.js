import assert from "node:assert/strict";
import { test } from "node:test";
import { meant } from "../../static/js/shell/keys.js";

const pressed = (/** @type {string} */ key, /** @type {string} */ code, shiftKey = false) =>
  meant({ key, code, shiftKey });

test("a key of another script means what stands in its place", () => {
  assert.equal(pressed("т", "KeyN"), "n"); // Russian
  assert.equal(pressed("Т", "KeyN", true), "n");
  assert.equal(pressed("ν", "KeyN"), "n"); // Greek
  assert.equal(pressed("ى", "KeyN"), "n"); // Arabic
  assert.equal(pressed("Process", "KeyN"), "n"); // while a Japanese input method is on
});

test("a key that writes a Latin letter means that letter, wherever it stands", () => {
  assert.equal(pressed("n", "KeyL"), "n"); // Dvorak
  assert.equal(pressed("b", "KeyN"), "b");
  assert.equal(pressed("N", "KeyN", true), "N");
});

test("a key in the row of digits is its digit where that takes Shift", () => {
  assert.equal(pressed("&", "Digit1"), "1"); // French
  assert.equal(pressed("1", "Digit1", true), "1");
  assert.equal(pressed("ě", "Digit2"), "2"); // Czech
  assert.equal(pressed("!", "Digit1", true), "!");
  assert.equal(pressed("?", "Digit7", true), "?"); // Russian
  assert.equal(pressed("Escape", "Escape"), "Escape");
});
