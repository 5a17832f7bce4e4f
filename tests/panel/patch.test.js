import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLostEvents } from "../../static/js/core/patch.js";

const entry = (version, at = version) => ({ version, at });
const view = (epoch, ...log) => ({ epoch, log });

test("a table is set back where its log has no more what was shown last", () => {
  const shown = view("one", entry(1), entry(2), entry(3));
  const log = [entry(1), entry(2), entry(3), entry(4)];
  assert.equal(hasLostEvents(shown, view("one", ...log)), false);
  assert.equal(hasLostEvents(shown, view("two", ...log)), false);
  assert.equal(hasLostEvents(shown, view("two", entry(1), entry(2))), true);
  assert.equal(hasLostEvents(shown, view("two", entry(1), entry(2, 7), entry(3, 8))), true);
  assert.equal(hasLostEvents(view("one"), view("two")), false);
});
