import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCharacters, truncateName, isNameFull } from "../../static/js/core/characters.js";

const FAMILY = "👨‍👩‍👧‍👦";

test("a person counts a family, a flag and a letter with its marks as one character each", () => {
  for (const text of ["🐈‍⬛", FAMILY, "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🫨", "a\u0301", "क्ष", "ی\u200c"])
    assert.equal(splitCharacters(text).length, 1, text);
  assert.equal(splitCharacters("علی‌رضا").length, 6);
});

test("a name is cut to 24 characters and 100 code points without splitting a character", () => {
  assert.equal(truncateName("x".repeat(30)), "x".repeat(24));
  assert.equal(truncateName("👍🏽".repeat(30)), "👍🏽".repeat(24));
  assert.equal(truncateName(FAMILY.repeat(24)), FAMILY.repeat(14));
  assert.equal(truncateName("a\u0301".repeat(24)), "a\u0301".repeat(24));
  assert.equal(truncateName("x".repeat(30), 3), "xxx");
});

test("a name is full as soon as it has no room for another letter", () => {
  assert.deepEqual(
    [23, 24].map((count) => isNameFull("👍🏽".repeat(count))),
    [false, true],
  );
  assert.deepEqual(
    [isNameFull(FAMILY.repeat(14)), isNameFull(`${FAMILY.repeat(14)}xy`)],
    [false, true],
  );
});

test("letters keep their marks in a browser without Intl.Segmenter", () => {
  const { Segmenter } = Intl;
  Object.assign(Intl, { Segmenter: undefined });
  assert.deepEqual(splitCharacters("ی\u200ca\u0301b"), ["ی\u200c", "a\u0301", "b"]);
  Object.assign(Intl, { Segmenter });
});
