import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCode, parseLink, normalizeCode } from "../../static/js/core/memory.js";

const LINK = "https://kittens.example/hiss/t/KXQF7H";

test("a code is found in any kind of pasted text", () => {
  for (const typed of [
    "kxqf7h",
    " KXQ-F7H ",
    "KXQ F7H",
    "KXQF7H.",
    "(KXQF7H)",
    "<KXQF7H>",
    "“KXQF7H”,",
    "\u200bKXQ\u200bF7H\ufeff",
    "\u2068KXQF7H\u2069",
    "ＫＸＱＦ７Ｈ",
    "/t/KXQF7H/",
    `${LINK}/.`,
    LINK,
    `${LINK}.`,
    `(${LINK})`,
    `<${LINK}>`,
    `[table](${LINK})!`,
    `Come to ${LINK}, now`,
    `${LINK}?utm_source=chat`,
    `\u200b${LINK}\u200b`,
  ])
    assert.deepEqual(parseLink(typed), { code: "KXQF7H", rest: "" }, typed);
});

test("a pasted link to a seat or a replay keeps its fragment and loses the text around it", () => {
  const claim = "#claim=a_b-c.d_e-";
  for (const typed of [`${LINK}${claim}`, `<${LINK}${claim}>.`, `${LINK}?x=1${claim} )`])
    assert.deepEqual(parseLink(typed), { code: "KXQF7H", rest: claim }, typed);
  assert.equal(parseLink(`(${LINK}/replay/2#57)`).rest, "/replay/2#57");
});

test("a code in an address is cleaned like a pasted one", () => {
  assert.equal(parseCode("kxqf7h%29."), "KXQF7H");
  assert.equal(parseCode("%E2%80%8BKXQF7H"), "KXQF7H");
  assert.equal(normalizeCode("..."), "");
});
