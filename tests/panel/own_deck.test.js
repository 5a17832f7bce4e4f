import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createUndoneTest } from "../../static/js/core/undone.js";
import { computeDeck } from "../../static/js/grid/deck/fold.js";
import {
  getCardAt,
  decryptSecret,
  encryptSecret,
  readPack,
  sealCell,
} from "../../static/js/grid/fair.js";
import "./grid.js";

/** @import { Entry } from "../../static/js/core/types.js" */

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf-8"));
const pack = readPack(readJson("../../docs/known-answers.json").variant);
/** Logs of whole games between robots with device decks. @type {{about: string, log: Entry[]}[]} */
const games = readJson("../data/fair_logs.json").logs.filter(
  (/** @type {{about: string}} */ { about }) => !about.includes("seal"),
);

/** Return the owner of each deck that was opened in a log, i.e. whose secret was published. @param {Entry[]} log */
const getOwners = (log) =>
  log
    .filter((entry) => entry.type === "deck_opened")
    .map(({ facts }) => ({ pack, seat: facts.seat, secret: facts.secret }));

/** @param {Entry[]} log @param {number} version */
const logUpTo = (log, version) => log.filter((entry) => entry.version <= version);

test("a deck is empty before the game and then has fifteen cards, of which four are put away", () => {
  for (const { log } of games) {
    const began = log.findIndex((entry) => entry.type === "game_began");
    for (const owner of getOwners(log)) {
      assert.equal(computeDeck(owner, log.slice(0, began)), null);
      const kept = computeDeck(owner, log.slice(0, began + 1));
      assert.equal(kept?.hand.length, 5);
      assert.equal(kept?.grid.length, 6);
      assert.deepEqual(kept?.seen, []);
    }
  }
});

test("every card that an honest player shows is the one in the deck at the version before", () => {
  let shown = 0;
  for (const { log } of games.filter(({ about }) => about === "honest"))
    for (const owner of getOwners(log))
      for (const { type, seat, version, facts } of log) {
        if (seat !== owner.seat) continue;
        const kept = computeDeck(owner, logUpTo(log, version - 1));
        if (!kept || type === "deck_opened") continue;
        if (type === "card_played") assert.ok(kept.hand.includes(facts.card));
        if (type === "nope_played") assert.ok(kept.hand.includes(facts.nope));
        if (type === "card_revealed") assert.equal(getCardAt(kept, facts.cell), facts.card);
        if (type === "card_drawn") assert.notEqual(getCardAt(kept, facts.cell), pack.kitten);
        if (type === "kitten_shown") assert.equal(getCardAt(kept, facts.cell), pack.kitten);
        shown += 1;
      }
  assert.ok(shown > 10);
});

test("an undo restores the cards of a device's deck, and its player still knows what they saw", () => {
  for (const { log } of games) {
    const began = log.find((entry) => entry.type === "game_began")?.version ?? 0;
    const gone = createUndoneTest(log);
    const stands = log.filter((entry) => entry.version > began && !gone(entry));
    for (const owner of getOwners(log))
      for (const { version } of stands.filter(({ type }) => type !== "undone")) {
        const last = log.at(-1)?.version ?? 0;
        const undone = { type: "undone", version: last + 1, seat: null, facts: { version } };
        const restored = computeDeck(owner, [
          ...log,
          /** @type {any} */ ({ ...undone, at: 0, text: "" }),
        ]);
        const before = computeDeck(owner, logUpTo(log, version - 1));
        const getCards = (/** @type {typeof before} */ deck) => [deck?.hand, deck?.grid];
        assert.deepEqual(getCards(restored), getCards(before));
        const seen = (restored?.seen ?? []).map(String);
        for (const cell of before?.seen ?? []) assert.ok(seen.includes(String(cell)));
      }
  }
});

test("a player knows the cards they looked at and the hidden Kitten's cell until the cards move", () => {
  let [looked, hidden] = [0, 0];
  for (const { log } of games)
    for (const owner of getOwners(log))
      for (const { type, seat, version, facts } of log.filter((one) => one.seat === owner.seat)) {
        const kept = computeDeck(owner, logUpTo(log, version));
        if (!kept || seat !== owner.seat) continue;
        if (type === "looked") looked += Number(kept.seen.some((cell) => cell === facts.cell));
        if (type === "grid_shuffled") assert.deepEqual(kept.seen, []);
        if (type !== "kitten_defused") continue;
        hidden += 1;
        assert.deepEqual(
          kept.seen.map((cell) => getCardAt(kept, cell)),
          [pack.kitten],
        );
      }
  assert.ok(looked && hidden);
});

test("after a Defuse that leaves the other cards in place, a player still knows the cards they have seen", () => {
  const secret = "5e".repeat(32);
  const began = { version: 1, type: "game_began", seat: null, facts: { salt: "a1".repeat(32) } };
  const owner = { pack, secret, seat: "s1" };
  const log = (/** @type {any[]} */ ...more) =>
    [began, ...more].map((one, index) => ({
      at: 0,
      text: "",
      seat: "s1",
      ...one,
      version: index + 1,
    }));
  const first = computeDeck(owner, /** @type {any} */ (log()));
  assert.ok(first);
  const origin = first.grid.find((one) => one.card === pack.kitten)?.cell ?? [0, 0];
  const [one, other] = first.grid
    .map(({ cell }) => cell)
    .filter((cell) => cell.join() !== origin.join());
  assert.ok(one && other);
  const looked = [one, other].map((cell) => ({ type: "looked", facts: { cell } }));
  const facts = { card: pack.defuse, cells: pack.cells, salt: "b2".repeat(32), still: true };
  const hidden = sealCell(secret, 3, one);
  const kept = computeDeck(
    owner,
    /** @type {any} */ (log(...looked, { type: "kitten_defused", facts: { ...facts, hidden } })),
  );
  assert.ok(kept);
  assert.equal(getCardAt(kept, one), pack.kitten);
  assert.equal(getCardAt(kept, other), getCardAt(first, other));
  assert.equal(getCardAt(kept, origin), getCardAt(first, one));
  assert.deepEqual(kept.seen.map(String).sort(), [one, other, origin].map(String).sort());
});

/** Returns the log of one player's events after the beginning of a game. @param {any[]} events */
const logOf = (...events) =>
  [{ type: "game_began", seat: null, facts: { salt: "a1".repeat(32) } }, ...events].map(
    (one, index) => ({ at: 0, text: "", seat: "s1", ...one, version: index + 1 }),
  );
const [SKIPPED, OTHER] = pack.cells;

test("a player who undoes an action remembers what it showed until the cards move", () => {
  const owner = { pack, secret: "5e".repeat(32), seat: "s1" };
  const compute = (/** @type {any[]} */ ...events) => computeDeck(owner, logOf(...events));
  const look = { type: "looked", facts: { cell: SKIPPED } };
  const draw = { type: "card_drawn", facts: { cell: OTHER, card: null } };
  const shuffle = { type: "grid_shuffled", facts: { cells: pack.cells, salt: "b2".repeat(32) } };
  const undo = (/** @type {number} */ version) => ({ type: "undone", facts: { version } });
  assert.deepEqual(compute(look, undo(2))?.seen, [SKIPPED]);
  assert.deepEqual(compute(draw)?.seen, []);
  assert.deepEqual(compute(draw, undo(2))?.seen, [OTHER]);
  assert.deepEqual(compute(look, undo(2), shuffle)?.seen, []);
  assert.deepEqual(compute(look, shuffle, undo(3))?.seen, [SKIPPED]);
  assert.deepEqual(compute(shuffle, look, undo(3), undo(2))?.seen, []);
  const twice = compute(look, undo(2), look, undo(4));
  assert.deepEqual(twice?.unseen, compute(look)?.unseen);
});

test("a card that a Favor turned up stays known after a Defuse that leaves the others in place", () => {
  const owner = { pack, secret: "5e".repeat(32), seat: "s1" };
  const deck = computeDeck(owner, logOf());
  const kitten = deck?.grid.find(({ card }) => card === pack.kitten)?.cell ?? [0, 0];
  const [up, down] = pack.cells.filter((cell) => String(cell) !== String(kitten));
  const facts = { card: pack.defuse, cells: pack.cells, salt: "", still: true };
  const after = computeDeck(
    owner,
    logOf(
      { type: "card_revealed", facts: { cell: up, card: "" } },
      { type: "kitten_shown", facts: { cell: kitten, kitten: pack.kitten } },
      {
        type: "kitten_defused",
        facts: { ...facts, hidden: sealCell(owner.secret, 3, /** @type {any} */ (down)) },
      },
    ),
  );
  assert.deepEqual(after?.seen.map(String).sort(), [String(up), String(down)].sort());
});

test("a secret can only be decrypted with the claim that encrypted it", () => {
  const secret = "0123456789abcdef".repeat(4);
  const claim = "k3-Wq_0PlZ";
  assert.equal(decryptSecret(encryptSecret(secret, claim), claim), secret);
  assert.notEqual(encryptSecret(secret, claim), secret);
  assert.notEqual(decryptSecret(encryptSecret(secret, claim), `${claim}x`), secret);
});
