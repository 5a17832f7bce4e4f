import assert from "node:assert/strict";
import { test } from "node:test";
import { isolate, joinIsolated } from "../../static/js/core/direction.js";
import { joinNames, getSentencePieces, t, setSentences } from "../../static/js/core/text.js";

const DAVID = "\u2068דוד\u2069";

test("a left-to-right sentence isolates only its right-to-left names", () => {
  setSentences("en", { counts: "{who:Your|*’s} {card} counts." });
  assert.equal(t("counts", { who: "דוד", card: "Skip" }), `${DAVID}’s Skip counts.`);
  assert.equal(t("counts", { who: "Ana", card: "Skip" }), "Ana’s Skip counts.");
  const who = { values: ["דוד"] };
  assert.ok(
    getSentencePieces("counts", { who, card: "Skip" }).includes(who),
    "a template isolates its own names",
  );
});

test("a right-to-left sentence isolates every name", () => {
  setSentences("he", { plays: "{who} שיחק" });
  assert.equal(t("plays", { who: "Ana" }), "\u2068Ana\u2069 שיחק");
});

test("each name in a list is isolated exactly once", () => {
  setSentences("en", { waits: "Waiting for {names}." });
  const names = joinNames(["Ana", "דוד"]);
  assert.equal(names, `\u2068Ana\u2069 and ${DAVID}`);
  assert.equal(t("waits", { names }), `Waiting for ${names}.`);
  assert.equal(joinNames(["Ana", "Ben"]), "Ana and Ben");
  assert.equal(joinIsolated(["דוד", "Ana"], " → "), `${DAVID} → \u2068Ana\u2069`);
  assert.equal(isolate(DAVID), DAVID);
});
