import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import "./words.js";
import { Clock } from "../../static/js/core/clock.js";
import { Controller } from "../../static/js/core/controller.js";
import { newView } from "./views.js";

const { Announcer } = await import("../../static/js/shell/aria.js");

/** Return a panel, its page with a headline, and the list of texts that a screen reader received. */
function createListener() {
  const heard = [];
  const page = { ".now h1": "", ".now .hint": "" };
  const root = { querySelector: (part) => ({ textContent: page[part] ?? "" }) };
  const region = {
    set textContent(words) {
      heard.push(words);
    },
  };
  const ctrl = new Controller("KXQF7H", new Clock(() => 0), () => {});
  const announcer = new Announcer(/** @type {any} */ (region), /** @type {any} */ (root));
  return { ctrl, heard, page, hear: () => announcer.announceChanges(ctrl) };
}

test("a screen reader announces a window and the possible commands once, and a hold separately", () => {
  const { ctrl, heard, page, hear } = createListener();
  const may = [
    { type: "nope", as: "ana", window: 4 },
    { type: "pass", as: "ana", window: 4 },
  ];
  const open = newView({
    step: "window",
    may,
    window: { id: 4, seconds: 8, passed: [], may_nope: ["ana"] },
    played: { card: "skip", by: "ben", target: null, nopes: [], counts: true },
  });
  page[".now h1"] = "ben plays Skip.";
  const played = {
    version: 4,
    type: "card_played",
    seat: "ben",
    facts: {},
    text: "ben plays Skip.",
  };
  ctrl.show({ ...open, version: 4, log: [played] });
  hear();
  ctrl.show({
    ...open,
    version: 5,
    you: { ...open.you, may: [] },
    log: [played, { version: 5, type: "passed", seat: "ana", facts: {}, text: "ana passes." }],
  });
  hear();
  ctrl.show({
    ...open,
    version: 6,
    log: [
      played,
      { version: 6, type: "held", seat: "cleo", facts: {}, text: "cleo holds the clock." },
    ],
  });
  hear();
  assert.deepEqual(heard, [
    "ben plays Skip. You may Nope or pass: 8 seconds.",
    "cleo holds the clock.",
  ]);
});

test("a shown Kitten is announced once", () => {
  const { ctrl, heard, page, hear } = createListener();
  page[".now h1"] = "ben shows the Kitten!";
  ctrl.show({
    ...newView({ step: "kitten" }),
    version: 4,
    log: [
      {
        version: 4,
        type: "kitten_shown",
        seat: "ben",
        facts: { seat: "ben" },
        text: "ben shows the Exploding Kitten!",
      },
    ],
  });
  hear();
  assert.deepEqual(heard, ["ben shows the Kitten!"]);
});

test("a scene's words are announced once, before the news, however often the page is drawn", () => {
  const { ctrl, heard, page, hear } = createListener();
  page[".now h1"] = "Name a card for ben.";
  ctrl.show({ ...newView({ step: "tell" }), version: 4, log: [] });
  hear();
  heard.length = 0;
  ctrl.scene = /** @type {any} */ ({ words: "New in your hand: Skip." });
  hear();
  hear();
  ctrl.scene = null;
  hear();
  assert.deepEqual(heard, ["New in your hand: Skip."]);
});

test("moving a card announces its new cell and the number of cards still to place", () => {
  const { ctrl, heard, hear } = createListener();
  ctrl.show(newView({ step: "shuffle" }));
  const all = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 1],
    [1, 2],
  ];
  ctrl.set({ draft: all });
  hear();
  heard.length = 0;
  ctrl.set({ draft: all.slice(1) });
  hear();
  ctrl.set({ draft: [...all.slice(1), all[0]] });
  hear();
  assert.deepEqual(heard, [
    "Nothing lies in row 1, column 1 now. Tap where they lie: 1 more",
    "A card lies in row 1, column 1.",
  ]);
});
