import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkDeck, splitGames } from "../../static/js/grid/check.js";
import * as fair from "../../static/js/grid/fair.js";
import { hmac, sha256 } from "../../static/js/grid/sha256.js";

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf-8"));
const known = readJson("../../docs/known-answers.json");
const { logs } = readJson("../data/fair_logs.json");
const pack = fair.readPack(known.variant);

test("SHA-256 and HMAC give the same results as Node's", () => {
  for (let length = 0; length < 200; length++) {
    const message = randomBytes(length);
    const key = randomBytes((length * 7) % 150);
    assert.equal(
      fair.formatHex(sha256(message)),
      createHash("sha256").update(message).digest("hex"),
    );
    const mac = createHmac("sha256", key).update(message).digest("hex");
    assert.equal(fair.formatHex(hmac(key, message)), mac);
  }
});

test("the random words follow from the secret and the salt", () => {
  const { secret, purpose, salt, first } = known.words;
  const drawn = fair.generateWords(secret, purpose, salt);
  assert.deepEqual(
    Array.from(first, () => drawn.next().value),
    first,
  );
});

test("the shuffle skips a random word that would favour the first cards", () => {
  /** @param {number[]} words */
  const shuffleWith = (words) => fair.shuffle(["a", "b", "c"], words[Symbol.iterator]());
  assert.deepEqual(shuffleWith([2 ** 32 - 1, 3, 2]), shuffleWith([3, 2]));
  assert.deepEqual(shuffleWith([3, 2]), ["b", "c", "a"]);
});

test("dealing, shuffling and defusing give the known answers", () => {
  /** @param {import("../../static/js/grid/types.js").Cards} cards */
  const showCards = (cards) => ({
    hand: cards.hand,
    grid: cards.grid.map(({ cell, card }) => [cell, card]),
  });
  for (const { secret, commit, deal, drawn, shuffle, defuse } of known.decks) {
    assert.equal(fair.computeCommitment(secret), commit);
    const first = fair.dealCards(pack, secret, deal.salt);
    assert.deepEqual(showCards(first), { hand: deal.hand, grid: deal.grid });
    const second = fair.shuffleGrid(
      fair.drawCard(first, drawn),
      secret,
      shuffle.salt,
      shuffle.cells,
    );
    assert.deepEqual(showCards(second), { hand: shuffle.hand, grid: shuffle.grid });
    assert.equal(fair.sealCell(secret, defuse.version, defuse.place), defuse.hidden);
    const kitten = { card: pack.kitten, cell: defuse.place };
    const rest = fair.discardCard(second, pack.defuse);
    const third = fair.putKittenBack(rest, secret, defuse.salt, defuse.cells, kitten);
    assert.deepEqual(showCards(third), { hand: defuse.hand, grid: defuse.grid });
  }
});

test("the check accepts honest games and finds each lie at its event", () => {
  for (const { about, lied, found, log } of logs) {
    const [game, ...more] = splitGames(log);
    assert.equal(more.length, 0);
    for (const seat of Object.keys(found)) {
      const mine = checkDeck(pack, game, seat).map((one) => [
        one.version,
        one.what,
        one.shownCard ?? null,
        one.actualCard ?? null,
      ]);
      assert.deepEqual(mine, found[seat], about);
    }
    const first = Object.values(found).flatMap((findings) => findings.slice(0, 1));
    assert.deepEqual(
      first.map(([version]) => version),
      lied ? [lied] : [],
      about,
    );
  }
});

test("a secret that wasn't committed to, or a missing salt, fails the check", () => {
  const { log } = logs[0];
  for (const [what, type, facts] of [
    ["another-secret", "deck_opened", { secret: "00".repeat(32) }],
    ["no-salt", "game_began", { salt: undefined }],
  ]) {
    const changed = log.map((/** @type {any} */ line) =>
      line.type === type ? { ...line, facts: { ...line.facts, ...facts } } : line,
    );
    const [game] = splitGames(changed);
    for (const seat of Object.keys(game.decks))
      assert.deepEqual(
        checkDeck(pack, game, seat).map((one) => one.what),
        [what],
      );
  }
});
