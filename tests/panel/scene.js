/** Shows scenes in the panel as table.js would, with a clock that stands and nobody to talk to. */
import { Clock } from "/static/js/core/clock.js";
import * as deck from "/static/js/core/deck.js";
import { Controller } from "/static/js/core/controller.js";
import { settled } from "/static/js/core/late.js";
import { render } from "/static/js/core/lit.js";
import * as text from "/static/js/core/text.js";
import { use } from "/static/js/core/family.js";
import { familyOf } from "/static/js/families.js";
import { table } from "/static/js/shell/table.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const variant = await (
  await fetch(`/api/tables/${location.pathname.split("/").at(-1)}/variant`)
).json();

const family = await familyOf(variant.family);
use(family);

/** Draws a scene from nothing, and for whoever measures gives a way to draw it anew. */
window.showScene = async (/** @type {any} */ scene) => {
  await text.load(scene.language, family.texts);
  const clock = new Clock(() => 0);
  clock.heard(scene.view.now - 100);
  const ctrl = new Controller(scene.view.table, clock, () =>
    render(
      table(ctrl, () => {}),
      root,
    ),
  );
  render(null, root);
  deck.use(variant);
  ctrl.set({ variant });
  ctrl.connected("open");
  ctrl.present(scene.presence);
  ctrl.show(scene.view);
  ctrl.set(scene.panel);
  await settled();
  /** How long a view takes to be drawn anew, in ms. */
  window.drawn = (/** @type {number} */ times) => {
    const asked = performance.now();
    for (let i = 0; i < times; i++) ctrl.show({ ...scene.view, version: scene.view.version + i });
    return (performance.now() - asked) / times;
  };
  scrollTo(0, 0);
};
document.documentElement.dataset.scene = "ready";
