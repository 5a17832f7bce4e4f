/** Tests for HTTP requests: after a rate limit the panel waits as long as the server asks. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";

globalThis.document ??= /** @type {any} */ ({
  baseURI: "http://server.test/",
  getElementById: () => null,
});
const { request: ask, Refusal } = await import("../../static/js/core/http.js");

const waitForTask = () => new Promise((resolve) => setImmediate(resolve));

/** Replace `fetch` by one that gives these answers in turn. Returns the requests' idempotency keys. @param {[number, object][]} answers */
function serveAnswers(...answers) {
  /** @type {string[]} */
  const keys = [];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ _, /** @type {any} */ options) => {
      keys.push(options.headers["Idempotency-Key"]);
      const [status, said] = answers[keys.length - 1] ?? [500, {}];
      return new Response(JSON.stringify(said), { status });
    }
  );
  return keys;
}

/** @param {number} ms @param {object} [more] */
const rateLimited = (ms, more) => ({
  error: { code: "rate_limited", text: `in ${ms}`, facts: { retry_after_ms: ms, ...more } },
});

test("a rate-limited request is repeated after the given time with the same idempotency key", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const keys = serveAnswers([429, rateLimited(3000)], [201, { seat: "s1" }]);
  const answer = ask("/api/tables", { name: "Ana" });
  for (const [ms, asked] of [
    [2999, 1],
    [1, 2],
  ]) {
    for (let i = 0; i < 9; i++) await waitForTask();
    mock.timers.tick(ms ?? 0);
    for (let i = 0; i < 9; i++) await waitForTask();
    assert.equal(keys.length, asked);
  }
  assert.deepEqual(await answer, { seat: "s1" });
  assert.equal(new Set(keys).size, 1);
});

test("a long wait or a resource that others use up is reported at once", async () => {
  for (const why of [rateLimited(60_000), rateLimited(5000, { what: "robots" })]) {
    const keys = serveAnswers([429, why]);
    await assert.rejects(ask("/api/practice", { name: "Ana" }), Refusal);
    assert.equal(keys.length, 1);
  }
});
