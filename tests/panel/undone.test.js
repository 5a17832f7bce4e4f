import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findFirstUndone,
  findNewestCommand,
  findEntriesUndoneFrom,
  createUndoneTest,
} from "../../static/js/core/undone.js";

const entry = (version, type, facts = {}) => ({ version, type, facts });

test("an undo strikes out what it reaches, at both ends, and nothing else", () => {
  const first = entry(14, "undone", { version: 12 });
  const again = entry(15, "undone", { version: 11 });
  const log = [
    entry(10, "turn_began"),
    entry(11, "instructed"),
    entry(12, "card_played"),
    entry(13, "options_changed"),
    first,
    again,
    entry(16, "instructed"),
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
    entry(10, "instructed"),
    entry(11, "card_played"),
    entry(12, "undone", { version: 11 }),
    entry(13, "card_played"),
    entry(14, "options_changed"),
    entry(15, "nope_played"),
  ];
  assert.deepEqual(
    findEntriesUndoneFrom(log, 11).map((one) => one.version),
    [13, 15],
  );
});

test("the newest word is what was said last in the game, and stands", () => {
  const log = [
    entry(10, "instructed"),
    entry(11, "looked"),
    entry(12, "note_made"),
    entry(13, "options_changed"),
  ];
  assert.equal(findNewestCommand(log)?.type, "looked");
  assert.equal(
    findNewestCommand([...log, entry(14, "undone", { version: 11 })])?.type,
    "instructed",
  );
});

test("a log whose beginning is not there strikes out what is", () => {
  const log = [
    entry(13, "window_closed"),
    entry(14, "undone", { version: 12 }),
    entry(15, "card_played"),
  ];
  assert.deepEqual(
    log.filter(createUndoneTest(log)).map((one) => one.version),
    [13],
  );
  assert.equal(findFirstUndone(log, log[1]), undefined);
});
