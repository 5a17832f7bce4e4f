/** What the panel says of its line: "Reconnecting" only where that takes a while. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Clock } from "../../static/js/core/clock.js";
import { Wire } from "../../static/js/core/wire.js";

/** @type {any} */
let socket;
/** @type {string[]} */
let lines;
let calls = 0;
/** @type {Wire} */
let wire;

/** The server says something, or the library does. @param {string} event @param {any[]} what */
const hear = (event, ...what) => {
  for (const listener of socket.listeners(event)) listener(...what);
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  lines = [];
  calls = 0;
  wire = new Wire("TABLE1", () => "token", new Clock(), {
    view: () => {},
    presence: () => {},
    line: (line) => lines.push(line),
  });
  socket = wire.socket;
  Object.assign(socket, {
    id: "first",
    connected: true,
    subs: [],
    disconnect: () => Object.assign(socket, { id: undefined, connected: false }),
    connect: () => calls++,
  });
});

const comes = () => {
  Object.assign(socket, { id: "second", connected: true });
  hear("connect");
};

test("a lost connection is said at once", () => {
  hear("disconnect", "transport close");
  assert.deepEqual(lines, ["lost"]);
});

test("who is told to move connects again within a quarter of a second, and says nothing", () => {
  hear("moving", {});
  mock.timers.tick(250);
  assert.equal(calls, 1);
  comes();
  mock.timers.tick(60_000);
  assert.deepEqual(lines, ["open"]);
});

test("where nobody takes over, that is said after a second, and not before", () => {
  hear("moving", {});
  mock.timers.tick(250);
  hear("connect_error", new Error("xhr poll error"));
  mock.timers.tick(700);
  assert.deepEqual(lines, []);
  mock.timers.tick(100);
  assert.deepEqual(lines, ["lost"]);
  hear("connect_error", new Error("xhr poll error"));
  comes();
  hear("disconnect", "transport close");
  assert.deepEqual(lines, ["lost", "lost", "open", "lost"]);
});

test("who was cut off before they went is connected again by the library alone", () => {
  hear("moving", {});
  Object.assign(socket, { id: undefined, connected: false });
  hear("disconnect", "transport close");
  comes();
  mock.timers.tick(60_000);
  assert.equal(calls, 0);
  assert.deepEqual(lines, ["open"]);
});

test("whoever was sent away in between stays away", () => {
  hear("moving", {});
  hear("superseded");
  Object.assign(socket, { subs: undefined });
  mock.timers.tick(60_000);
  assert.equal(calls, 0);
  assert.deepEqual(lines, ["superseded"]);
});

/** What is waiting for a moment has its turn. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("who is told when to go on says it again then, and not before", async () => {
  let said = 0;
  const late = { code: "rate_limited", text: "", facts: { retry_after_ms: 4000 } };
  const answers = [
    { ok: false, error: late },
    { ok: true, version: 2 },
  ];
  socket.timeout = () => ({
    emit: (/** @type {any[]} */ ...words) => words.at(-1)(null, answers[said++]),
  });
  const answer = wire.say({ type: "draw" });
  for (const [ms, so] of [
    [3999, 1],
    [1, 2],
  ]) {
    await turn();
    mock.timers.tick(ms ?? 0);
    await turn();
    assert.equal(said, so);
  }
  assert.deepEqual(await answer, { ok: true, version: 2 });
});

test("who was refused a connection comes again when they are told", () => {
  const late = { code: "rate_limited", text: "", facts: { retry_after_ms: 7000 } };
  hear("connect_error", Object.assign(new Error("no"), { data: late }));
  mock.timers.tick(6999);
  assert.equal(calls, 0);
  mock.timers.tick(1001);
  assert.equal(calls, 1);
});

test("a table that is damaged is no lost line: what is wrong is shown, and asked again", () => {
  const damaged = { code: "internal", text: "damaged", facts: { what: "damaged" } };
  hear("connect_error", Object.assign(new Error("damaged"), { data: damaged }));
  assert.deepEqual(lines, ["closed"]);
  mock.timers.tick(5000);
  assert.equal(calls, 1);
  hear("connect_error", Object.assign(new Error("bug"), { data: { code: "internal", text: "" } }));
  assert.deepEqual(lines, ["closed", "lost"]);
});
