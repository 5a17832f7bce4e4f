/** The panel's connection notice: "Reconnecting" appears only after a while. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Clock } from "../../static/js/core/clock.js";
import { Wire } from "../../static/js/core/wire.js";

/** @type {any} */
let socket;
/** @type {string[]} */
let lines;
/** @type {(string | undefined)[]} */
let reasons;
/** @type {any[]} */
let views;
/** @type {Wire} */
let wire;
let calls = 0;
const VIEW = { epoch: "e", version: 1, now: 0, seats: [] };

/** Deliver an event as the server or the library would. @param {string} event @param {any[]} what */
const hear = (event, ...what) => {
  for (const listener of socket.listeners(event)) listener(...what);
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  lines = [];
  reasons = [];
  views = [];
  calls = 0;
  wire = new Wire("TABLE1", () => "token", new Clock(), {
    view: (view) => views.push(view),
    presence: () => {},
    connection: (state, problem) => {
      lines.push(state);
      reasons.push(problem?.text);
    },
  });
  socket = wire.socket;
  Object.assign(socket, {
    id: "first",
    connected: true,
    subs: [],
    emit: () => socket,
    timeout: () => socket,
    disconnect: () => {
      const connected = socket.connected;
      Object.assign(socket, { id: undefined, connected: false });
      if (connected) hear("disconnect", "io client disconnect");
      return socket;
    },
    connect: () => calls++,
  });
});

/** Return the credentials that the next connection would send. @returns {{yields?: boolean}} */
const asks = () => {
  let auth = {};
  socket.auth((/** @type {object} */ said) => {
    auth = said;
  });
  return auth;
};

const sentAway = () => hear("superseded");

const comes = () => {
  Object.assign(socket, { id: "second", connected: true });
  hear("connect");
};

test("a lost connection is said at once", () => {
  hear("disconnect", "transport close");
  assert.deepEqual(lines, ["lost"]);
});

test("a server without room gives its reason, and the page tries again", () => {
  const refuse = (/** @type {object} */ data) =>
    hear("connect_error", Object.assign(new Error("refused"), { data }));
  const facts = { retry_after_ms: 2000, what: "connections" };
  refuse({ code: "rate_limited", text: "Close a few tabs.", facts });
  assert.deepEqual([lines, reasons], [["lost"], ["Close a few tabs."]]);
  mock.timers.tick(3000);
  assert.equal(calls, 1);
  refuse({ code: "busy", text: "We couldn’t save that just now." });
  hear("connect_error", new Error("xhr poll error"));
  assert.deepEqual(reasons.slice(1), [undefined, undefined]);
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

test("whoever was sent away in between asks after a while, and for what is free alone", () => {
  hear("moving", {});
  assert.equal(asks().yields, undefined);
  sentAway();
  Object.assign(socket, { subs: undefined });
  mock.timers.tick(4900);
  assert.equal(calls, 0);
  mock.timers.tick(100);
  assert.equal(calls, 1);
  assert.equal(asks().yields, true);
  assert.deepEqual(lines, ["superseded"]);
});

test("as long as somebody else has the seat, nothing is shown of that", () => {
  sentAway();
  for (let round = 1; round <= 10; round++) {
    mock.timers.tick(5000);
    assert.equal(calls, round);
    comes();
    hear("view", VIEW);
    mock.timers.tick(1000);
    sentAway();
  }
  assert.deepEqual([lines, views], [["superseded"], []]);
});

test("once nobody else has it for a moment, it is ours again, be it for good", () => {
  sentAway();
  mock.timers.tick(5000);
  comes();
  hear("view", VIEW);
  mock.timers.tick(1500);
  assert.deepEqual([lines, views], [["superseded", "open"], [VIEW]]);
  assert.equal(asks().yields, undefined);
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
});

test("who asks for the seat and is not heard asks again", () => {
  sentAway();
  mock.timers.tick(5000);
  comes();
  Object.assign(socket, { id: undefined, connected: false });
  hear("disconnect", "io server disconnect");
  mock.timers.tick(5000);
  assert.equal(calls, 2);
  hear("connect_error", Object.assign(new Error("busy"), { data: { code: "busy" } }));
  mock.timers.tick(5000);
  assert.equal(calls, 3);
  assert.deepEqual(lines, ["superseded"]);
});

test("whose seat was moved to another device does not ask again", () => {
  sentAway();
  mock.timers.tick(5000);
  hear("connect_error", Object.assign(new Error("no"), { data: { code: "unauthenticated" } }));
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
  assert.deepEqual(lines, ["superseded"]);
});

test("one tap asks at once, for a seat that somebody else may have", () => {
  sentAway();
  wire.reconnect();
  assert.equal(calls, 1);
  assert.equal(asks().yields, undefined);
  comes();
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
  assert.deepEqual(lines, ["superseded", "connecting", "open"]);
});

test("what a connection changes is laid over what it has sent, not over what another one did", () => {
  const moment = (/** @type {number} */ version, /** @type {string} */ turn) => ({
    ...VIEW,
    version,
    turn,
    log: [],
    you: null,
  }); // prettier-ignore
  const change = { epoch: "e", from: 1, version: 2, now: 0, log: [] };
  hear("connect");
  hear("view", moment(2, "lost by the database"));
  comes();
  hear("view", moment(1, "before"));
  assert.equal(views.at(-1).turn, "lost by the database", "another process may be behind");
  hear("patch", change);
  assert.equal(views.at(-1).turn, "before");
  hear("patch", { ...change, from: 2, version: 3, set: { turn: "after" } });
  assert.deepEqual([views.at(-1).version, views.at(-1).turn], [3, "after"]);
});

test("what a process still lacks when it says its newest is lost", () => {
  hear("connect");
  hear("view", { ...VIEW, version: 2 });
  comes();
  hear("view", VIEW);
  assert.equal(views.at(-1).version, 2);
  hear("head", { epoch: "e", version: 1, now: 0 });
  assert.equal(views.at(-1).version, 1);
});
