import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findFirstUndone,
  findNewestCommand,
  findEntriesUndoneFrom,
  createUndoneTest,
} from "../../static/js/core/undone.js";

const makeEntry = (version, type, facts = {}) => ({ version, type, facts });

test("an undo strikes out the commands from its version on, and nothing else", () => {
  const first = makeEntry(14, "undone", { version: 12 });
  const again = makeEntry(15, "undone", { version: 11 });
  const log = [
    makeEntry(10, "turn_began"),
    makeEntry(11, "instructed"),
    makeEntry(12, "card_played"),
    makeEntry(13, "options_changed"),
    first,
    again,
    makeEntry(16, "instructed"),
  ];
  assert.deepEqual(
    log.filter(createUndoneTest(log)).map((one) => one.version),
    [11, 12],
  );
  assert.equal(findFirstUndone(log, first)?.version, 12);
  assert.equal(findFirstUndone(log, again)?.version, 11);
  assert.equal(findFirstUndone(log, log[0]), undefined);
});

test("an undo affects neither changed options nor events that are already undone", () => {
  const log = [
    makeEntry(10, "instructed"),
    makeEntry(11, "card_played"),
    makeEntry(12, "undone", { version: 11 }),
    makeEntry(13, "card_played"),
    makeEntry(14, "options_changed"),
    makeEntry(15, "nope_played"),
  ];
  assert.deepEqual(
    findEntriesUndoneFrom(log, 11).map((one) => one.version),
    [13, 15],
  );
});

test("the newest command is the last command of the game that isn't undone", () => {
  const log = [
    makeEntry(10, "instructed"),
    makeEntry(11, "looked"),
    makeEntry(12, "note_made"),
    makeEntry(13, "options_changed"),
  ];
  assert.equal(findNewestCommand(log)?.type, "looked");
  assert.equal(
    findNewestCommand([...log, makeEntry(14, "undone", { version: 11 })])?.type,
    "instructed",
  );
});

test("in a log without its beginning, an undo strikes out the events that are there", () => {
  const log = [
    makeEntry(13, "window_closed"),
    makeEntry(14, "undone", { version: 12 }),
    makeEntry(15, "card_played"),
  ];
  assert.deepEqual(
    log.filter(createUndoneTest(log)).map((one) => one.version),
    [13],
  );
  assert.equal(findFirstUndone(log, log[1]), undefined);
});
