import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../static/js/core/clock.js";
import { Controller } from "../../static/js/core/controller.js";
import "./grid.js";
import { newView } from "./views.js";

const { addCameraChecker, sendCameraSigns } = await import("../../static/js/shell/sheets.js");

/** Return a panel in the setup phase, and the gestures that it sent. */
function createPanel(phase = "setup") {
  const ctrl = new Controller("KXQF7H", new Clock(() => 0), () => {});
  const shown = [];
  ctrl.wire = { sendSign: (sign, to) => shown.push(`${sign} ${to}`) };
  ctrl.view = { ...newView(), phase };
  return { ctrl, shown };
}

test("a player whose camera is checked is notified every few seconds until the check ends", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ctrl, shown } = createPanel();
  for (const seat of ["ben", "cleo"]) {
    ctrl.set({ sheet: { kind: "camera", seat } });
    sendCameraSigns(ctrl, seat);
  }
  for (let second = 0; second < 12; second++) context.mock.timers.tick(1000);
  assert.deepEqual(shown, ["camera ben", "camera cleo", "camera cleo", "camera cleo"]);
  ctrl.closeSheet();
  context.mock.timers.tick(60_000);
  assert.equal(shown.length, 4);
});

test("outside the setup phase no gesture is sent", () => {
  const { ctrl, shown } = createPanel("play");
  ctrl.set({ sheet: { kind: "camera", seat: "ben" } });
  sendCameraSigns(ctrl, "ben");
  assert.deepEqual(shown, []);
});

test("a player who checks the camera is named until their gestures stop, and repeated gestures redraw nothing", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ctrl } = createPanel();
  let draws = 0;
  ctrl.draw = () => draws++;
  for (let times = 0; times < 50; times++) addCameraChecker(ctrl, "ben");
  addCameraChecker(ctrl, "cleo");
  assert.deepEqual([ctrl.cameraCheckers, draws], [["ben", "cleo"], 2]);
  context.mock.timers.tick(5000);
  addCameraChecker(ctrl, "cleo");
  context.mock.timers.tick(4000);
  assert.deepEqual(ctrl.cameraCheckers, ["cleo"]);
  context.mock.timers.tick(5000);
  assert.deepEqual(ctrl.cameraCheckers, []);
});
