import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLostEvents } from "../../static/js/core/patch.js";

const makeEntry = (version, at = version) => ({ version, at });
const makeView = (epoch, ...log) => ({ epoch, log });

test("a table has lost events if its log lacks the last event that was shown", () => {
  const shown = makeView("one", makeEntry(1), makeEntry(2), makeEntry(3));
  const log = [makeEntry(1), makeEntry(2), makeEntry(3), makeEntry(4)];
  assert.equal(hasLostEvents(shown, makeView("one", ...log)), false);
  assert.equal(hasLostEvents(shown, makeView("two", ...log)), false);
  assert.equal(hasLostEvents(shown, makeView("two", makeEntry(1), makeEntry(2))), true);
  assert.equal(
    hasLostEvents(shown, makeView("two", makeEntry(1), makeEntry(2, 7), makeEntry(3, 8))),
    true,
  );
  assert.equal(hasLostEvents(makeView("one"), makeView("two")), false);
});
