/**
 * A finished game as a row of views: the first as it came, each later one made by its patch when it is
 * first looked at, and kept. Nothing in a view is ever changed. It must not know what a view says.
 * @import { Entry, Patch, View } from "../core/types.js"
 */
import { patched } from "../core/patch.js";
import { takenBack } from "../core/undone.js";

export class Reel {
  /** @param {{view: View, moments: Patch[]}} told */
  constructor({ view, moments }) {
    this.views = [view];
    this.patches = moments;
    /** Everything that happened, one entry for each moment but the first. */
    this.entries = moments.flatMap((patch) => patch.log);
    this.undone = takenBack(this.entries);
    /** What players left at its moments. @type {import("./remarks.js").Remark[]} */
    this.remarks = [];
  }

  /** The last moment's number; the first one's is 0. */
  get last() {
    return this.patches.length;
  }

  /** @param {number} at @returns {View} */
  view(at) {
    for (let next = this.views.length; next <= at; next++) {
      const made = patched(
        /** @type {View} */ (this.views[next - 1]),
        /** @type {Patch} */ (this.patches[next - 1]),
      );
      if (!made) throw new Error(`moment ${next} does not follow`);
      this.views.push(made);
    }
    return /** @type {View} */ (this.views[at]);
  }

  /** What led to this moment; null: it is the first. @param {number} at @returns {Entry | null} */
  entry(at) {
    return this.patches[at - 1]?.log.at(-1) ?? null;
  }

  /** The version that a moment shows, which names it. @param {number} at */
  version(at) {
    return this.patches[at - 1]?.version ?? /** @type {View} */ (this.views[0]).version;
  }

  /** The moment of a version, else the one that is nearest to it. @param {number} version */
  near(version) {
    let [low, high] = [0, this.last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.version(middle) <= version) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, this.last);
    return Math.abs(this.version(next) - version) < Math.abs(this.version(low) - version)
      ? next
      : low;
  }
}
