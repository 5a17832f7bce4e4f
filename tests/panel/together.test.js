/** A client that a full shared replay refused tries again after the time that the server named. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Together } from "../../static/js/replay/together.js";

test("a viewer refused at a replay retries at the time given, unless the viewer has left", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  let calls = 0;
  const hears = {
    goTo: () => {},
    showCount: () => {},
    stopFollowing: () => {},
    noteRemarks: () => {},
    noteSteering: () => {},
    getPosition: () => ({ at: 0 }),
  };
  const together = new Together({ table: "TABLE1", game: 1, token: undefined }, hears);
  together.socket.disconnect();
  Object.assign(together.socket, { connect: () => calls++ });
  const data = { code: "rate_limited", text: "", facts: { retry_after_ms: 5000 } };
  const refuseConnection = () => {
    for (const listener of together.socket.listeners("connect_error"))
      listener(Object.assign(new Error("no"), { data }));
  };
  refuseConnection();
  mock.timers.tick(4999);
  assert.equal(calls, 0);
  mock.timers.tick(1);
  assert.equal(calls, 1);
  refuseConnection();
  together.close();
  mock.timers.tick(60_000);
  assert.equal(calls, 1);
});

test("a replay that follows somebody pauses when the connection is lost, not when it is closed", (context) => {
  let pauses = 0;
  const together = new Together(
    { table: "TABLE1", game: 1, token: undefined },
    {
      goTo: () => {},
      showCount: () => {},
      stopFollowing: () => pauses++,
      noteRemarks: () => {},
      noteSteering: () => {},
      getPosition: () => ({ at: 0 }),
    },
  );
  context.after(() => together.close());
  const lose = (/** @type {string} */ why) => {
    for (const listener of together.socket.listeners("disconnect"))
      listener(/** @type {any} */ (why));
  };
  lose("transport close");
  assert.equal(pauses, 1);
  lose("io client disconnect");
  assert.equal(pauses, 1);
});
