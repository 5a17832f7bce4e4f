import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../static/js/core/clock.js";
import { Controller } from "../../static/js/core/controller.js";
import { readPreferences, storeValue } from "../../static/js/core/memory.js";
import { tapCell } from "../../static/js/grid/state.js";
import "./grid.js";
import { newView } from "./views.js";

/** Return a controller and its list of commands, each with a function `answer` that answers it. */
function createPanel(view = newView()) {
  const ctrl = new Controller("KXQF7H", new Clock(() => 0), () => {});
  const said = [];
  ctrl.wire = {
    send: (command) => new Promise((answer) => said.push({ command, answer })),
    reconnect() {},
  };
  ctrl.show(view);
  return { ctrl, said };
}

const viewAt = (version) => ({ ...newView(), version });
const skip = { type: "play", as: "ana", card: "skip" };
const makeFavor = (cell) => ({ type: "play", as: "ana", card: "favor", target: "ben", cell });

test("a card without a target is played with one tap", () => {
  const { ctrl, said } = createPanel(newView({ may: [skip] }));
  ctrl.tapCard("skip");
  assert.deepEqual(
    said.map((one) => one.command),
    [skip],
  );
});

test("a Favor is sent when its target cell is tapped, and a second tap on the Favor cancels it", () => {
  const { ctrl, said } = createPanel(newView({ may: [makeFavor([0, 0]), makeFavor([0, 1])] }));
  ctrl.tapCard("favor");
  assert.equal(ctrl.aimedCard, "favor");
  ctrl.tapCard("favor");
  assert.equal(ctrl.aimedCard, null);
  ctrl.tapCard("favor");
  tapCell(ctrl, "ben", [0, 1]);
  assert.deepEqual(
    said.map((one) => one.command),
    [makeFavor([0, 1])],
  );
});

test("tapping a cell of another grid sends nothing if no card needs a target", () => {
  const { ctrl, said } = createPanel(newView({ may: [makeFavor([0, 0])] }));
  tapCell(ctrl, "ben", [0, 0]);
  assert.equal(said.length, 0);
});

test("a command is pending until it is answered, and a second tap doesn't send it again", async () => {
  const { ctrl, said } = createPanel(newView({ may: [skip] }));
  ctrl.tapCard("skip");
  ctrl.tapCard("skip");
  assert.equal(said.length, 1);
  assert.equal(ctrl.pending.size, 1);
  said[0].answer({ ok: true, version: 2 });
  await new Promise(setImmediate);
  assert.equal(ctrl.pending.size, 0);
});

test("a value that is set again before the answer is sent after it, and only the newest one", async () => {
  const { ctrl, said } = createPanel();
  const answers = [5, 8, 12].map((seconds) =>
    ctrl.send({ type: "options", nope_seconds: seconds }),
  );
  const other = ctrl.send({ type: "options", roll_call: true });
  assert.deepEqual(
    said.map((one) => one.command.nope_seconds),
    [5, undefined],
  );
  said[0].answer({ ok: true, version: 2 });
  said[1].answer({ ok: true, version: 3 });
  assert.equal((await answers[0]).version, 2);
  assert.equal((await other).version, 3);
  assert.equal(await answers[1], null, "a newer value has replaced it");
  assert.equal(said[2].command.nope_seconds, 12);
  said[2].answer({ ok: true, version: 4 });
  assert.equal((await answers[2]).version, 4);
  assert.equal(ctrl.pending.size, 0);
});

test("a late answer closes only the sheet from which its command was sent", async () => {
  const { ctrl, said } = createPanel();
  const log = { kind: "log" };
  const another = { kind: "seat", seat: "cleo" };
  for (const [opened, left] of [
    [log, log],
    [another, another],
    [{ kind: "seat", seat: "ben" }, null],
  ]) {
    ctrl.set({ sheet: { kind: "seat", seat: "ben" } });
    const sent = ctrl.sendFromSheet({ type: "remove_seat", seat: "ben" });
    ctrl.set({ sheet: opened });
    said.at(-1).answer({ ok: true, version: 2 });
    await sent;
    assert.deepEqual(ctrl.sheet, left);
  }
});

test("a refusal is shown with its ruling at the tapped place until the player does something else", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ctrl, said } = createPanel();
  ctrl.send({ type: "undo" }, "sheet");
  said[0].answer({
    ok: false,
    error: { code: "refused", ruling: "undo", text: "There is nothing." },
  });
  await new Promise(setImmediate);
  assert.deepEqual(ctrl.toast, {
    text: "There is nothing.",
    ruling: "undo",
    spot: "sheet",
    away: false,
  });
  ctrl.show({ ...newView({ step: "report" }), version: 2 });
  context.mock.timers.tick(600_000);
  ctrl.openHelp("undo");
  assert.equal(ctrl.toast?.ruling, "undo", "stays while the ruling is read");
  ctrl.set({ sheet: { kind: "menu" } });
  assert.equal(ctrl.toast, null);
  ctrl.showProblem({ code: "refused", text: "No." }, "now");
  ctrl.send({ type: "undo" });
  assert.equal(ctrl.toast, null);
});

test("a notice of success disappears after a moment", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ctrl } = createPanel();
  ctrl.showNotice("Copied.", "story");
  assert.equal(ctrl.toast?.text, "Copied.");
  context.mock.timers.tick(10_000);
  assert.equal(ctrl.toast, null);
});

test("a half-made choice is dropped when the game has moved on", () => {
  const { ctrl } = createPanel(newView({ may: [makeFavor([0, 0])] }));
  ctrl.tapCard("favor");
  ctrl.set({ draft: [[0, 0]], pickedSeat: "ben" });
  ctrl.show({ ...newView({ step: "report" }), version: 2 });
  assert.deepEqual([ctrl.aimedCard, ctrl.draft, ctrl.pickedSeat], [null, null, null]);
});

test("only events that happened while the viewer was away are marked as new", () => {
  const { ctrl } = createPanel(viewAt(10));
  const listNewVersions = () =>
    [9, 10, 11, 12, 13, 14].filter((version) => ctrl.isNew({ version }));
  ctrl.show(viewAt(11));
  assert.deepEqual(listNewVersions(), []);
  ctrl.setAway(true);
  ctrl.show(viewAt(12));
  ctrl.setAway(false);
  ctrl.show(viewAt(13));
  ctrl.show(viewAt(14));
  assert.deepEqual(listNewVersions(), [12, 13]);
  ctrl.setAway(true);
  ctrl.setAway(false);
  ctrl.show(viewAt(14));
  assert.deepEqual(listNewVersions(), []);
});

test("a face-up card is drawn and reported with one tap", async () => {
  const draw = { type: "draw", as: "ana", cell: [0, 1] };
  const report = { type: "report", as: "ana", outcome: "safe" };
  const up = newView({ may: [draw] });
  up.seats[0] = {
    ...up.seats[0],
    grid: [
      ["down", "skip", "down"],
      ["down", "down", "down"],
    ],
  };
  const { ctrl, said } = createPanel(up);
  tapCell(ctrl, "ana", [0, 1]);
  ctrl.show({
    ...up,
    version: 2,
    turn: { ...up.turn, step: "report" },
    you: { ...up.you, may: [report] },
  });
  assert.deepEqual(
    said.map((one) => one.command),
    [draw, report],
  );
});

test("the panel asks what a drawn face-down card was, even if only one answer is possible", async () => {
  const draw = { type: "draw", as: "ana", cell: [0, 1] };
  const { ctrl, said } = createPanel(newView({ may: [draw] }));
  tapCell(ctrl, "ana", [0, 1]);
  ctrl.show({
    ...newView({ step: "report", may: [{ type: "report", as: "ana", outcome: "kitten" }] }),
    version: 2,
  });
  assert.deepEqual(
    said.map((one) => one.command),
    [draw],
  );
});

test("a finished sheet closes, and taps are ignored for a moment", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ctrl } = createPanel();
  ctrl.set({ sheet: { kind: "undo" } });
  ctrl.finishSheet();
  assert.equal(ctrl.sheet, null);
  assert.ok(ctrl.ignoresTaps);
  context.mock.timers.tick(1000);
  assert.ok(!ctrl.ignoresTaps);
});

test("a sheet about the game's cards closes when the table leaves the game", () => {
  for (const [kind, left] of [
    ["seat", undefined],
    ["menu", "menu"],
    ["help", "help"],
  ]) {
    const { ctrl } = createPanel(viewAt(2));
    ctrl.set({ sheet: { kind, seat: "ben" } });
    ctrl.show(viewAt(3));
    assert.equal(ctrl.sheet?.kind, kind);
    ctrl.show({ ...viewAt(4), phase: "lobby", turn: null });
    assert.equal(ctrl.sheet?.kind, left);
    ctrl.set({ sheet: { kind, seat: "ben" } });
    ctrl.show({ ...viewAt(5), phase: "setup", turn: null });
    assert.equal(ctrl.sheet?.kind, kind);
    ctrl.show({ ...viewAt(6), phase: "over" });
    ctrl.show({ ...viewAt(7), phase: "setup", turn: null });
    assert.equal(ctrl.sheet?.kind, left);
  }
});

test("a confirmation is dropped when the turn changes or its sheet is closed", () => {
  const { ctrl } = createPanel();
  ctrl.askToConfirm("leave");
  assert.deepEqual([ctrl.commandToConfirm, ctrl.ignoresTaps], ["leave", true]);
  ctrl.closeSheet();
  assert.equal(ctrl.commandToConfirm, null);
  ctrl.askToConfirm("explode ana");
  ctrl.show({ ...viewAt(9), turn: { ...newView().turn, seat: "ben", number: 99 } });
  assert.equal(ctrl.commandToConfirm, null);
});

test("a question in a sheet stays while other players act", () => {
  const { ctrl } = createPanel();
  ctrl.set({ sheet: { kind: "seat", seat: "ana" } });
  ctrl.askToConfirm("leave ana");
  ctrl.show({ ...viewAt(9), turn: { ...newView().turn, seat: "ben", number: 99 } });
  assert.equal(ctrl.commandToConfirm, "leave ana");
  ctrl.closeSheet();
  assert.equal(ctrl.commandToConfirm, null);
});

test("the end page stays until it is dismissed, except for the player who starts the next game", () => {
  const over = { ...viewAt(5), phase: "over", game: 1 };
  const { ctrl } = createPanel(over);
  assert.equal(ctrl.holdNextGame({ ...viewAt(6), phase: "play", game: 1 }), false);
  assert.equal(ctrl.holdNextGame({ ...viewAt(6), phase: "setup", game: 2 }), true);
  assert.deepEqual([ctrl.view?.phase, ctrl.nextGameView?.phase], ["over", "setup"]);
  ctrl.pending.add("rematch");
  assert.equal(ctrl.holdNextGame({ ...viewAt(7), phase: "setup", game: 2 }), false);
});

test("an explosion that ends the game is shown as one, and a leaving player isn't", () => {
  for (const [out, shown] of [
    ["kitten", true],
    ["left", false],
  ]) {
    const { ctrl } = createPanel(newView());
    const gone = { version: 9, at: 0, type: "went_out", seat: "ben", facts: { out }, text: "" };
    ctrl.show({ ...newView(), version: 9, phase: "over", winner: "ana", turn: null, log: [gone] });
    assert.equal(ctrl.explosion?.seat === "ben", shown, out);
    ctrl.set({ explosion: null });
  }
});

test("a changed preference doesn't undo what another window has stored since", () => {
  const { ctrl } = createPanel();
  ctrl.prefer("bare", true);
  storeValue("prefs", { veil: true, bare: false });
  ctrl.prefer("theme", "dark");
  assert.deepEqual(readPreferences(), { veil: true, bare: false, theme: "dark" });
});
