import assert from "node:assert/strict";
import { test } from "node:test";
import { playSound, unlockSounds } from "../../static/js/core/sound.js";

test("without Web Audio nothing is played and nothing fails", async () => {
  await playSound("turn");
  assert.equal(await unlockSounds(), null);
});

test("a page that Safari has silenced, as during a call, is resumed and plays nothing until then", async () => {
  let resumed = 0;
  /** @type {any} */ (globalThis).AudioContext = class {
    state = "interrupted";
    resume() {
      resumed += 1;
      return new Promise(() => null);
    }
  };
  playSound("turn"); // would fail, because there is no OscillatorNode
  unlockSounds();
  await new Promise(setImmediate);
  assert.equal(resumed, 2);
});
