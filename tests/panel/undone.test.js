import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findFirstUndone,
  findNewestCommand,
  findEntriesUndoneFrom,
  createUndoneTest,
} from "../../static/js/core/undone.js";

const makeEntry = (version, type, facts = {}) => ({ version, type, facts });

test("an undo strikes out what it reaches, at both ends, and nothing else", () => {
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

test("what would be taken back is what an undo reaches: not the table's options, not what is gone already", () => {
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

test("the newest word is what was said last in the game, and stands", () => {
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

test("a log whose beginning is not there strikes out what is", () => {
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
