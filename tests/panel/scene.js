/** Draws scenes in the panel as table.js would, with a stopped clock and without the program. */
import { Clock } from "/static/js/core/clock.js";
import * as deck from "/static/js/core/deck.js";
import { Controller } from "/static/js/core/controller.js";
import { waitUntilLoaded } from "/static/js/core/late.js";
import { render } from "/static/js/core/lit.js";
import { applyPatch } from "/static/js/core/patch.js";
import * as text from "/static/js/core/text.js";
import { setFamily } from "/static/js/core/family.js";
import { fetchFamily } from "/static/js/families.js";
import { renderPanel } from "/static/js/shell/table.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** Requests without an answer, and answers whose content is still being read. @type {Set<Promise<any>>} */
const pending = new Set();
/** The answer to each request. A repeated request isn't sent again but gets the same answer. @type {Map<string, Promise<Response>>} */
const answers = new Map();
const ask = window.fetch;
window.fetch = (...wanted) => {
  const question = JSON.stringify(wanted);
  const first = answers.get(question) ?? ask(...wanted);
  answers.set(question, first);
  const answer = first.then((one) => one.clone());
  pending.add(answer);
  return answer.finally(() => pending.delete(answer));
};

for (const reads of /** @type {const} */ (["arrayBuffer", "blob", "json", "text"])) {
  const own = Response.prototype[reads];
  Response.prototype[reads] = function () {
    const read = own.call(this);
    pending.add(read);
    return read.finally(() => pending.delete(read));
  };
}

/** Wait until all lazily loaded modules and their requests have arrived. */
async function waitForScene() {
  do {
    await waitUntilLoaded();
    await Promise.allSettled([...pending]);
    await new Promise((done) => setTimeout(done));
  } while (pending.size);
}

/**
 * The variant of each number, as the server would send it. All variants of a page are of one family.
 * @type {Map<number, any>}
 */
const variants = new Map();

let lastVariant = 0;

/** Returns the variant with this number. @param {number} number */
async function fetchVariant(number) {
  if (number !== lastVariant) answers.clear(); // the same request has another answer now
  lastVariant = number;
  if (!variants.has(number)) {
    const code = location.pathname.split("/").at(-1);
    const answer = await fetch(`/api/tables/${code}/variant?number=${number}`);
    variants.set(number, await answer.json());
  }
  return variants.get(number);
}

/** Number of the current scene. A controller of an earlier scene no longer draws. */
let shown = 0;

/** Draw a scene on an empty page, and define the functions that measure its drawing. */
window.showScene = async (/** @type {any} */ scene) => {
  const own = ++shown;
  const variant = await fetchVariant(scene.variant);
  const family = await fetchFamily(variant.family);
  setFamily(family);
  await text.loadSentences(scene.language, family.texts);
  // The controller of the last scene may have stored something in the meantime.
  localStorage.clear();
  const { firstOdds, access, tap, ...panel } = scene.panel;
  // In most scenes, the viewer has read the sentence about the percentages on cards.
  if (!firstOdds) localStorage["hiss.prefs"] = JSON.stringify({ oddsHint: "" });
  const clock = new Clock(() => 0);
  clock.noteServerTime(scene.view.now - 100);
  const ctrl = new Controller(scene.view.table, clock, () => {
    if (own === shown)
      render(
        renderPanel(ctrl, () => {}),
        root,
      );
  });
  render(null, root);
  await family.loadArt?.(variant);
  deck.setVariant(variant);
  ctrl.set({ variant });
  ctrl.setConnection("open");
  ctrl.setPresence(scene.presence);
  ctrl.show(scene.view);
  // If the scene has a state of the ways to let friends in (`access`), this is the operator's
  // browser.
  if (access) localStorage["hiss.operator"] = JSON.stringify("token");
  ctrl.set({
    ...panel,
    prefs: { ...(firstOdds ? {} : { oddsHint: "" }), ...(panel.prefs ?? ctrl.prefs) },
  });
  await waitForScene();
  if (tap) {
    /** @type {HTMLElement | null} */ (root.querySelector(tap))?.click();
    await waitForScene();
  }
  // The live region's text follows a moment after its element, and changes the layout again.
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  if (scene.panel.prefs?.lessons) {
    await new Promise((done) => setTimeout(done));
    await frame().then(frame);
  }
  /** Return the average time in ms to draw the view again. */
  window.measureDrawing = (/** @type {number} */ times) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) ctrl.show({ ...scene.view, version: scene.view.version + i });
    return (performance.now() - start) / times;
  };
  /** Draw a message from the server: a whole view or a patch. */
  window.showMessage = (/** @type {string} */ text) => {
    const message = JSON.parse(text);
    ctrl.show(message.from === undefined ? message : applyPatch(ctrl.view, message));
  };
  /**
   * Draw the view after a change, then the view before it, and repeat both `times` times. If
   * `patches` is true, apply the patch instead of reading a whole view.
   */
  window.drawBackAndForth = (
    /** @type {string[]} */ [before, after, patch],
    /** @type {boolean} */ patches,
    /** @type {number} */ times,
  ) => {
    const known = JSON.parse(before);
    for (let i = 0; i < times; i++) {
      ctrl.show(patches ? applyPatch(known, JSON.parse(patch)) : JSON.parse(after));
      ctrl.show(patches ? known : JSON.parse(before));
    }
  };
  /** Return how often the grid of each seat is read while a patch is drawn. */
  window.countGridReads = (/** @type {string} */ before, /** @type {string} */ patch) => {
    const known = JSON.parse(before);
    /** @type {Record<string, number>} */
    const reads = {};
    for (const seat of known.seats) {
      const { seat: id, grid } = seat;
      const get = () => {
        reads[id] = (reads[id] ?? 0) + 1;
        return grid;
      };
      Object.defineProperty(seat, "grid", { enumerable: true, get });
    }
    ctrl.show(known);
    for (const seat in reads) reads[seat] = 0;
    ctrl.show(applyPatch(known, JSON.parse(patch)));
    return reads;
  };
  scrollTo(0, 0);
};
document.documentElement.dataset.scene = "ready";
