/** Loads the draw grid's panel in Node, with a stub for the document. */
import { setFamily } from "../../static/js/core/family.js";

globalThis.document ??= /** @type {any} */ ({
  getElementById: () => null,
  querySelector: () => null,
  title: "",
  createTreeWalker: () => null,
  createComment: () => null,
});
const { gridFamily: grid } = await import("../../static/js/grid/family.js");
setFamily(grid);
