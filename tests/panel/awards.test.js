import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { giveAwards } from "../../static/js/core/awards.js";

const SEATS = ["ana", "ben", "cleo", "dora"].map((seat) => ({ seat, name: seat }));

/** @param {[string, string | null, object?, number?][]} said type, seat, facts, seconds taken */
function makeGame(...said) {
  let at = 0;
  return [["game_began", null, {}, 0], ...said].map(
    ([type, seat, facts = {}, seconds = 1], index) => {
      at += seconds * 1000;
      return { version: index + 1, type, seat, at, facts: { seat, ...facts }, text: "" };
    },
  );
}

const play = (seat, card, target) => ["card_played", seat, { card, target }];
const nope = (seat) => ["nope_played", seat, { nope: "nope" }];
const closes = (seat, counts) => ["window_closed", seat, { counts }];

/** Returns the awards as text, by seat. */
const award = (game, seats = SEATS) =>
  Object.fromEntries(
    [...giveAwards(game, seats)].map(([seat, { award, score, facts }]) => [
      seat,
      [award, score, ...Object.values(facts)].join(" "),
    ]),
  );

test("each award has a fixed rule", () => {
  const defuse = (seat) => ["kitten_defused", seat];
  assert.equal(award(makeGame(defuse("ana"), defuse("ana"), defuse("ben"))).ana, "lives 2");
  const begins = (seat) => ["turn_began", seat, { number: 1 }];
  const turns = [begins("ana"), begins("ben"), ["card_touched", "ben"], begins("cleo")];
  assert.equal(award(makeGame(...turns)).ana, "slippery 1", "a turn without a draw");
  assert.equal(award(makeGame(["looked", "ana"])).ana, "nosy 1");
  const noped = makeGame(play("ana", "look"), nope("ben"), closes("ana", false));
  assert.deepEqual([award(noped).ana, award(noped).ben], ["noped 1", "bouncer 1"]);
  const shuffle = ["grid_shuffled", "ana"];
  assert.equal(award(makeGame(shuffle, shuffle)).ana, "shuffler 2");
  const out = [
    ["turn_began", "dora", { number: 7 }],
    ["went_out", "dora", { out: "kitten" }],
  ];
  assert.equal(award(makeGame(...out)).dora, "opener 1 7");
  const bold = SEATS.map((seat, index) => ({ ...seat, boldest: 0.1 * (index + 1) }));
  assert.equal(award(makeGame(), bold).dora, "bravest 0.4");
});

test("a Nope on an instruction counts, but not against the card that was played before", () => {
  const game = makeGame(
    play("ana", "shuffle"),
    closes("ana", true),
    ["nope_played", "cleo", { nope: "nope", card: "instruction", by: "ben" }],
    ["window_closed", "ben", { card: "instruction", counts: false }],
  );
  assert.equal(award(game).cleo, "bouncer 1");
  assert.equal(award(game).ana, undefined);
});

test("a grudge counts the cards and Nopes against one player", () => {
  const game = makeGame(
    play("ana", "favor", "ben"),
    nope("ben"), // a Nope on Ana's Favor
    nope("ana"), // a Nope on Ben's Nope
    closes("ana", true),
    play("ben", "favor", "cleo"),
    nope("ana"),
    closes("ben", false),
  );
  assert.equal(award(game).ana, "grudge 3 ben");
});

test("the favourite is the player at whom the most cards were aimed", () => {
  const game = makeGame(
    play("ana", "favor", "dora"),
    play("ben", "favor", "dora"),
    play("cleo", "favor", "ana"),
  );
  assert.equal(award(game).dora, "favourite 2");
});

test("the ponderer took the longest time for one move, and a break doesn't count", () => {
  const draw = (seat, seconds) => ["card_touched", seat, {}, seconds];
  assert.equal(award(makeGame(draw("ana", 40), draw("ben", 30))).ana, "ponderer 40000");
  const game = makeGame(draw("ana", 3600), draw("ben", 30), ["note_made", "cleo", {}, 50]);
  assert.equal(award(game).ben, "ponderer 30000");
  const noted = makeGame(["note_made", "cleo", {}, 25], draw("cleo", 5));
  assert.equal(award(noted).cleo, "ponderer 30000", "every panel finds the same time");
  assert.equal(award(makeGame(draw("ana", 5))).ana, undefined);
});

test("only one player who never acted against anybody is harmless", () => {
  const game = makeGame(play("ana", "favor", "ben"), nope("ben"), play("cleo", "favor", "ana"));
  assert.equal(award(game).dora, "harmless 1");
  assert.equal(award(makeGame(play("ana", "favor", "ben"))).dora, undefined);
});

test("an award goes to nobody if several players share the highest score", () => {
  const game = makeGame(["kitten_defused", "ana"], ["kitten_defused", "ben"]);
  assert.deepEqual(award(game), {});
});

test("a player gets at most one award, and a second one goes to nobody", () => {
  const game = makeGame(["kitten_defused", "ana"], ["looked", "ana"]);
  assert.deepEqual(award(game), { ana: "lives 1" });
});

test("a card of a player who is no longer at the table gives no award", () => {
  assert.deepEqual(award(makeGame(["kitten_defused", "gone"])), {});
});
