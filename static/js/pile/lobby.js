/** In the lobby: who sits next to whom. */
import { seating } from "./seating.js";

/** @param {import("../core/controller.js").Controller} ctrl */
export const lobby = (ctrl) => seating(ctrl);
