/**
 * The server's time as this device can best tell. A device's clock may be off by hours:
 * only differences are used. What was asked and answered is measured, and the fastest
 * answer is trusted most; what merely arrived may have been on its way for any time, so
 * it counts only until something was measured, and the latest of it most.
 */

const KEPT = 12;
const GUESSED_WAY_MS = 100;

export class Clock {
  /** @param {() => number} localNow milliseconds that never jump */
  constructor(localNow = () => performance.now()) {
    this.localNow = localNow;
    /** @type {{offset: number, trip: number}[]} */
    this.samples = [];
    this.guess = Number.NEGATIVE_INFINITY;
  }

  /** A message with the server's `now` arrived. */
  noteServerTime(/** @type {number} */ now) {
    this.guess = Math.max(this.guess, now + GUESSED_WAY_MS - this.localNow());
  }

  /** A question asked at local time `asked` was answered with the server's `now`. */
  addMeasurement(/** @type {number} */ asked, /** @type {number} */ now) {
    const trip = this.localNow() - asked;
    this.samples = [
      ...this.samples.slice(1 - KEPT),
      { offset: now + trip / 2 - this.localNow(), trip },
    ];
  }

  /** Forgets everything: the device slept or another server answers. */
  reset() {
    this.samples = [];
    this.guess = Number.NEGATIVE_INFINITY;
  }

  now() {
    const [first, ...rest] = this.samples;
    if (!first) return this.localNow() + (Number.isFinite(this.guess) ? this.guess : 0);
    return (
      this.localNow() +
      rest.reduce((best, sample) => (sample.trip < best.trip ? sample : best), first).offset
    );
  }
}
