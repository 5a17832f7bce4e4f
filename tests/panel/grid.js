/** Loads the draw grid's panel in Node, with a stub for the document. */
import { useFamily } from "../../static/js/core/family.js";

globalThis.document ??= /** @type {any} */ ({
  getElementById: () => null,
  querySelector: () => null,
  title: "",
  createTreeWalker: () => null,
  createComment: () => null,
});
const { grid } = await import("../../static/js/grid/family.js");
useFamily(grid);
