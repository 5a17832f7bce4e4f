/**
 * Estimates the server's time, for the countdown of a window. The device's clock may be wrong by
 * hours. So this class reads only a monotonic local clock, and estimates the offset between it and
 * the server's clock from two sources:
 *
 * 1. A request that the server answered with its time is a measurement: the server read its clock
 * about halfway through the round trip. The measurement with the shortest round trip is the most
 * exact and is used. An older one is less exact, because the clocks drift apart, so its round trip
 * counts as longer with each newer one. If a newer one contradicts it, the server's time has jumped
 * (its machine was suspended, or the database's clock was set), and the newer one is used.
 *
 * 2. Every other message contains the server's time, too, but may have been delayed. Such messages
 * are used only until there is a measurement. The message that gives the latest time had the
 * shortest delay.
 *
 * Example: a request sent at 1000 was answered at 1080 with now = 500 040. The trip took 80 ms, so
 * the offset is 500 040 + 40 − 1080 = 499 000.
 */

/** Time by which the used measurement's round trip counts as longer after each newer measurement. */
const DRIFT_MS = 15;
/** The travel time that is assumed for a message that isn't an answer. */
const GUESSED_TRIP_MS = 100;

export class Clock {
  /** @param {() => number} localNow a monotonic clock in ms */
  constructor(localNow = () => performance.now()) {
    this.localNow = localNow;
    /** The measurement that is used. @type {{offset: number, trip: number} | undefined} */
    this.best = undefined;
    /** The offset that messages suggest; used until there is a measurement. */
    this.guess = Number.NEGATIVE_INFINITY;
  }

  /** Uses the server's time `now` from a message that has just arrived. */
  noteServerTime(/** @type {number} */ now) {
    this.guess = Math.max(this.guess, now + GUESSED_TRIP_MS - this.localNow());
  }

  /** Uses the server's time `now` from the answer to a request that was sent at local time `sentAt`. */
  addMeasurement(/** @type {number} */ sentAt, /** @type {number} */ now) {
    const local = this.localNow();
    const trip = local - sentAt;
    const offset = now + trip / 2 - local;
    const { best } = this;
    if (best) best.trip += DRIFT_MS;
    // Both can't be right if they differ by more than half the sum of their round trips.
    if (!best || trip <= best.trip || 2 * Math.abs(offset - best.offset) > trip + best.trip)
      this.best = { offset, trip };
  }

  /** Drops all estimates. Called after the device was asleep, and when another server answers. */
  reset() {
    this.best = undefined;
    this.guess = Number.NEGATIVE_INFINITY;
  }

  /** Returns the estimated server time in ms. */
  now() {
    return this.localNow() + (this.best?.offset ?? (Number.isFinite(this.guess) ? this.guess : 0));
  }
}
