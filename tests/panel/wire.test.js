/** Tests for the panel's connection: reconnecting, taking a seat back, and the notices about it. */
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

/** Deliver an event as the server or Socket.IO's client would. @param {string} event @param {any[]} what */
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

test("a lost connection is reported at once", () => {
  deliverEvent("disconnect", "transport close");
  assert.deepEqual(lines, ["lost"]);
});

test("a full server's reason is shown, and the page tries again", () => {
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

test("a client that is told to move reconnects within 250 ms without a notice", () => {
  deliverEvent("moving", {});
  mock.timers.tick(250);
  assert.equal(calls, 1);
  reconnect();
  mock.timers.tick(60_000);
  assert.deepEqual(lines, ["open"]);
});

test("if no server takes over, the loss is reported after a second and not before", () => {
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

test("after a connection lost during a move, only the library reconnects", () => {
  deliverEvent("moving", {});
  Object.assign(socket, { id: undefined, connected: false });
  deliverEvent("disconnect", "transport close");
  reconnect();
  mock.timers.tick(60_000);
  assert.equal(calls, 0);
  assert.deepEqual(lines, ["open"]);
});

test("a superseded client tries again after a while, and takes the seat only if it is free", () => {
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

test("while another client has the seat, retries show nothing", () => {
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

test("a seat that stays free for a moment is taken back for good", () => {
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

test("a failed request for the seat is repeated", () => {
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

test("a client whose seat has moved to another device doesn't retry", () => {
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

test("one tap takes the seat back at once, even from another client", () => {
  supersede();
  wire.reconnect();
  assert.equal(calls, 1);
  assert.equal(getCredentials().yields, undefined);
  reconnect();
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
  assert.deepEqual(lines, ["superseded", "connecting", "open"]);
});

test("a patch applies to the view of its own connection, not to that of an earlier one", () => {
  const makeMoment = (/** @type {number} */ version, /** @type {string} */ turn) => ({
    ...VIEW,
    version,
    turn,
    log: [],
    you: null,
  });
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

test("events that are missing from a process's newest version are lost", () => {
  deliverEvent("connect");
  deliverEvent("view", { ...VIEW, version: 2 });
  reconnect();
  deliverEvent("view", VIEW);
  assert.equal(views.at(-1).version, 2);
  deliverEvent("head", { epoch: "e", version: 1, now: 0 });
  assert.equal(views.at(-1).version, 1);
});

for (const event of ["head", "view", "patch"])
  test(`a ${event} from the future makes the panel measure the clock at once`, () => {
    /** @type {any[]} */
    const sent = [];
    socket.emit = (/** @type {any[]} */ ...message) => sent.push(message);
    const server = 1_790_000_000_000;
    deliverEvent("view", { ...VIEW, now: server, log: [] });
    sent.at(-1).at(-1)(null, { epoch: "e", version: 1, now: server });
    const change = { from: 1, version: 2, set: {}, seats: {}, log: [] };
    const deliver = (/** @type {number} */ now) =>
      deliverEvent(event, { ...VIEW, ...(event === "patch" ? change : { log: [] }), now });
    deliver(server + 500);
    assert.equal(sent.length, 1);
    deliverEvent("view", { ...VIEW, now: server, log: [] });
    deliver(server + 60_000);
    assert.deepEqual(
      sent.map(([name]) => name),
      ["sync", "sync"],
    );
  });
