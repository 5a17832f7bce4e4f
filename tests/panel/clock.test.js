import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../static/js/core/clock.js";

const HOURS = 3_600_000;

test("the server's time is right even if the device's clock is hours off and the network slow", () => {
  let local = 5 * HOURS;
  const clock = new Clock(() => local);
  const getServerTime = () => local - 5 * HOURS + 1_790_000_000_000;
  for (const trip of [900, 300, 500]) {
    const asked = local;
    local += trip / 2;
    const now = getServerTime();
    local += trip / 2;
    clock.addMeasurement(asked, now);
    local += 5000;
  }
  assert.ok(
    Math.abs(clock.now() - getServerTime()) <= 150,
    `${clock.now() - getServerTime()} ms off`,
  );
});

test("the fastest answer counts most, so one slow answer changes little", () => {
  let local = 0;
  const clock = new Clock(() => local);
  local = 40;
  clock.addMeasurement(0, 1020);
  const before = clock.now();
  local = 2040;
  clock.addMeasurement(40, 1040);
  assert.ok(Math.abs(clock.now() - before - 2000) < 1);
});

for (const jump of [HOURS, 3000, -3000])
  test(`after the server's time jumps by ${jump} ms, the next answer sets the clock right`, () => {
    let local = 0;
    let server = 1_790_000_000_000;
    const clock = new Clock(() => local);
    const measure = (/** @type {number} */ trip) => {
      const sentAt = local;
      local += trip;
      server += trip;
      clock.addMeasurement(sentAt, server - trip / 2);
    };
    for (let count = 0; count < 12; count++) measure(2);
    server += jump;
    measure(300);
    assert.equal(clock.now(), server);
  });

test("a fast measurement counts less the older it is, because clocks drift apart", () => {
  let local = 0;
  const clock = new Clock(() => local);
  const getServerTime = () => Math.round(local * 1.0001) + 1_790_000_000_000;
  const measure = (/** @type {number} */ trip) => {
    const sentAt = local;
    local += trip / 2;
    const now = getServerTime();
    local += trip / 2;
    clock.addMeasurement(sentAt, now);
  };
  measure(100);
  for (let minute = 0; minute < 120; minute++) {
    local += 60_000;
    measure(300);
    assert.ok(Math.abs(clock.now() - getServerTime()) <= 150);
  }
});
