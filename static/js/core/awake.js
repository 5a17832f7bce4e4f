/** Keeps the screen on while a game is played, where the device allows it (secure pages only). */

/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;

/** @param {boolean} on */
export function awake(on) {
  if (on === wanted) return;
  wanted = on;
  if (on) hold();
  else release();
}

async function hold() {
  if (!wanted || lock || document.hidden || !("wakeLock" in navigator)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
    });
    if (!wanted) release();
  } catch {
    // A low battery or a frame without permission: the screen sleeps as it likes.
  }
}

function release() {
  lock?.release();
  lock = null;
}

// The lock is lost whenever the page is hidden.
document.addEventListener("visibilitychange", hold);
