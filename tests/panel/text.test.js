import assert from "node:assert/strict";
import { test } from "node:test";
import { pieces, preferred, t, use } from "../../static/js/text.js";

test("plural and ordinal forms are the language's own", () => {
  use("en", { cards: { one: "{count} card", other: "{count} cards" }, nth: { ordinal: true, one: "{n}st", two: "{n}nd", few: "{n}rd", other: "{n}th" } });
  assert.equal(t("cards", { count: 1 }), "1 card");
  assert.equal(t("cards", { count: 0 }), "0 cards");
  assert.deepEqual([1, 2, 3, 4, 11, 21].map((n) => t("nth", { n })), ["1st", "2nd", "3rd", "4th", "11th", "21st"]);
});

test("a fact stays what it is, and its braces are no placeholder", () => {
  use("en", { hello: "{a} and {b}" });
  const b = { template: true };
  assert.deepEqual(pieces("hello", { a: "{b}", b }).filter((piece) => piece !== ""), ["{b}", " and ", b]);
});

test("the viewer's choice comes first, then the browser's languages, then English", () => {
  assert.equal(preferred("it", ["en"]), "it");
  assert.equal(preferred("xx", ["de-DE", "it-IT"]), "it");
  assert.equal(preferred(null, ["de"]), "en");
});
