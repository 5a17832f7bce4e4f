/** A replay by keyboard: arrows step, Page keys go from mark to mark, Home and End to the ends, space plays. */

/** @import { Controller } from "../core/controller.js" */
/** @import { Player } from "./player.js" */

/** @param {KeyboardEvent} event @param {Controller} ctrl @param {Player} player @param {number[]} marked */
export function press(event, ctrl, player, marked) {
  if (event.ctrlKey || event.metaKey || event.altKey || writing(event.target)) return;
  if (!ctrl.sheet ? stepped(event) : event.key === "Escape") event.preventDefault();
  if (event.key === "Escape") ctrl.close();

  /** @param {KeyboardEvent} event */
  function stepped({ key, target }) {
    if (key === "ArrowRight") player.step(1);
    else if (key === "ArrowLeft") player.step(-1);
    else if (key === "PageDown") player.jump(marked, 1);
    else if (key === "PageUp") player.jump(marked, -1);
    else if (key === "Home") player.step(-player.reel.last);
    else if (key === "End") player.step(player.reel.last);
    else if (key === " " && !pressed(target)) player.toggle();
    else if (key === "?") ctrl.openHelp();
    else return false;
    return true;
  }
}

/** Whether space is for what has the focus. @param {EventTarget | null} target */
const pressed = (target) => target instanceof Element && target.matches("button, a, summary");

/** @param {EventTarget | null} target */
const writing = (target) =>
  target instanceof Element && target.matches("input:not([type=range]), select, textarea");
