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
