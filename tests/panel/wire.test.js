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
const deliverEvent = (event, ...what) => {
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
      if (connected) deliverEvent("disconnect", "io client disconnect");
      return socket;
    },
    connect: () => calls++,
  });
});

/** Return the credentials that the next connection would send. @returns {{yields?: boolean}} */
const getCredentials = () => {
  let auth = {};
  socket.auth((/** @type {object} */ said) => {
    auth = said;
  });
  return auth;
};

const supersede = () => deliverEvent("superseded");

const reconnect = () => {
  Object.assign(socket, { id: "second", connected: true });
  deliverEvent("connect");
};

test("a lost connection is said at once", () => {
  deliverEvent("disconnect", "transport close");
  assert.deepEqual(lines, ["lost"]);
});

test("a server without room gives its reason, and the page tries again", () => {
  const refuse = (/** @type {object} */ data) =>
    deliverEvent("connect_error", Object.assign(new Error("refused"), { data }));
  const facts = { retry_after_ms: 2000, what: "connections" };
  refuse({ code: "rate_limited", text: "Close a few tabs.", facts });
  assert.deepEqual([lines, reasons], [["lost"], ["Close a few tabs."]]);
  mock.timers.tick(3000);
  assert.equal(calls, 1);
  refuse({ code: "busy", text: "We couldn’t save that just now." });
  deliverEvent("connect_error", new Error("xhr poll error"));
  assert.deepEqual(reasons.slice(1), [undefined, undefined]);
});

test("who is told to move connects again within a quarter of a second, and says nothing", () => {
  deliverEvent("moving", {});
  mock.timers.tick(250);
  assert.equal(calls, 1);
  reconnect();
  mock.timers.tick(60_000);
  assert.deepEqual(lines, ["open"]);
});

test("where nobody takes over, that is said after a second, and not before", () => {
  deliverEvent("moving", {});
  mock.timers.tick(250);
  deliverEvent("connect_error", new Error("xhr poll error"));
  mock.timers.tick(700);
  assert.deepEqual(lines, []);
  mock.timers.tick(100);
  assert.deepEqual(lines, ["lost"]);
  deliverEvent("connect_error", new Error("xhr poll error"));
  reconnect();
  deliverEvent("disconnect", "transport close");
  assert.deepEqual(lines, ["lost", "lost", "open", "lost"]);
});

test("who was cut off before they went is connected again by the library alone", () => {
  deliverEvent("moving", {});
  Object.assign(socket, { id: undefined, connected: false });
  deliverEvent("disconnect", "transport close");
  reconnect();
  mock.timers.tick(60_000);
  assert.equal(calls, 0);
  assert.deepEqual(lines, ["open"]);
});

test("whoever was sent away in between asks after a while, and for what is free alone", () => {
  deliverEvent("moving", {});
  assert.equal(getCredentials().yields, undefined);
  supersede();
  Object.assign(socket, { subs: undefined });
  mock.timers.tick(4900);
  assert.equal(calls, 0);
  mock.timers.tick(100);
  assert.equal(calls, 1);
  assert.equal(getCredentials().yields, true);
  assert.deepEqual(lines, ["superseded"]);
});

test("as long as somebody else has the seat, nothing is shown of that", () => {
  supersede();
  for (let round = 1; round <= 10; round++) {
    mock.timers.tick(5000);
    assert.equal(calls, round);
    reconnect();
    deliverEvent("view", VIEW);
    mock.timers.tick(1000);
    supersede();
  }
  assert.deepEqual([lines, views], [["superseded"], []]);
});

test("once nobody else has it for a moment, it is ours again, be it for good", () => {
  supersede();
  mock.timers.tick(5000);
  reconnect();
  deliverEvent("view", VIEW);
  mock.timers.tick(1500);
  assert.deepEqual([lines, views], [["superseded", "open"], [VIEW]]);
  assert.equal(getCredentials().yields, undefined);
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
});

test("who asks for the seat and is not heard asks again", () => {
  supersede();
  mock.timers.tick(5000);
  reconnect();
  Object.assign(socket, { id: undefined, connected: false });
  deliverEvent("disconnect", "io server disconnect");
  mock.timers.tick(5000);
  assert.equal(calls, 2);
  deliverEvent("connect_error", Object.assign(new Error("busy"), { data: { code: "busy" } }));
  mock.timers.tick(5000);
  assert.equal(calls, 3);
  assert.deepEqual(lines, ["superseded"]);
});

test("whose seat was moved to another device does not ask again", () => {
  supersede();
  mock.timers.tick(5000);
  deliverEvent(
    "connect_error",
    Object.assign(new Error("no"), { data: { code: "unauthenticated" } }),
  );
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
  assert.deepEqual(lines, ["superseded"]);
});

test("one tap asks at once, for a seat that somebody else may have", () => {
  supersede();
  wire.reconnect();
  assert.equal(calls, 1);
  assert.equal(getCredentials().yields, undefined);
  reconnect();
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
  assert.deepEqual(lines, ["superseded", "connecting", "open"]);
});

test("what a connection changes is laid over what it has sent, not over what another one did", () => {
  const makeMoment = (/** @type {number} */ version, /** @type {string} */ turn) => ({
    ...VIEW,
    version,
    turn,
    log: [],
    you: null,
  }); // prettier-ignore
  const change = { epoch: "e", from: 1, version: 2, now: 0, log: [] };
  deliverEvent("connect");
  deliverEvent("view", makeMoment(2, "lost by the database"));
  reconnect();
  deliverEvent("view", makeMoment(1, "before"));
  assert.equal(views.at(-1).turn, "lost by the database", "another process may be behind");
  deliverEvent("patch", change);
  assert.equal(views.at(-1).turn, "before");
  deliverEvent("patch", { ...change, from: 2, version: 3, set: { turn: "after" } });
  assert.deepEqual([views.at(-1).version, views.at(-1).turn], [3, "after"]);
});

test("what a process still lacks when it says its newest is lost", () => {
  deliverEvent("connect");
  deliverEvent("view", { ...VIEW, version: 2 });
  reconnect();
  deliverEvent("view", VIEW);
  assert.equal(views.at(-1).version, 2);
  deliverEvent("head", { epoch: "e", version: 1, now: 0 });
  assert.equal(views.at(-1).version, 1);
});
