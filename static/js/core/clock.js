/**
 * Estimates the server's time, for the countdown of a window. The device's clock may be wrong by
 * hours. So this class reads only a monotonic local clock, and estimates the offset between it and
 * the server's clock from two sources:
 *
 * 1. A request that the server answered with its time is a measurement: the server read its clock
 * about halfway through the round trip. The measurement with the shortest round trip is the most
 * exact and is used.
 *
 * 2. Every other message contains the server's time, too, but may have been delayed. Such messages
 * are used only until there is a measurement. The message that gives the latest time had the
 * shortest delay.
 *
 * Example: a request sent at 1000 was answered at 1080 with now = 500 040. The trip took 80 ms, so
 * the offset is 500 040 + 40 − 1080 = 499 000.
 */

const MAX_SAMPLES = 12;
/** The travel time that is assumed for a message that isn't an answer. */
const GUESSED_TRIP_MS = 100;

export class Clock {
  /** @param {() => number} localNow a monotonic clock in ms */
  constructor(localNow = () => performance.now()) {
    this.localNow = localNow;
    /** The latest measurements. @type {{offset: number, trip: number}[]} */
    this.samples = [];
    /** The offset that messages suggest; used until there is a measurement. */
    this.guess = Number.NEGATIVE_INFINITY;
  }

  /** Uses the server's time `now` from a message that has just arrived. */
  noteServerTime(/** @type {number} */ now) {
    this.guess = Math.max(this.guess, now + GUESSED_TRIP_MS - this.localNow());
  }

  /** Uses the server's time `now` from the answer to a request that was sent at local time `sentAt`. */
  addMeasurement(/** @type {number} */ sentAt, /** @type {number} */ now) {
    const trip = this.localNow() - sentAt;
    this.samples = [
      ...this.samples.slice(1 - MAX_SAMPLES),
      { offset: now + trip / 2 - this.localNow(), trip },
    ];
  }

  /** Drops all estimates. Called after the device was asleep, and when another server answers. */
  reset() {
    this.samples = [];
    this.guess = Number.NEGATIVE_INFINITY;
  }

  /** Returns the estimated server time in ms. */
  now() {
    const [first, ...rest] = this.samples;
    if (!first) return this.localNow() + (Number.isFinite(this.guess) ? this.guess : 0);
    return (
      this.localNow() +
      rest.reduce((best, sample) => (sample.trip < best.trip ? sample : best), first).offset
    );
  }
}
