// A player without cards, in JavaScript: sends random legal commands until the game is over.
//
//     npm install socket.io-client
//     node player.mjs http://127.0.0.1:8000 Ana              makes a table and prints its code
//     node player.mjs http://127.0.0.1:8000 Ben KXQF7H       sits down at it
//
// The player who made the table begins once PLAYERS (default 2) sit there. See docs/protocol.md.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { io } from "socket.io-client";

const { PLAYERS = 2, VARIANT } = process.env;
const [url, name, code] = process.argv.slice(2);

/** Takes a seat and returns `{table, seat, token}`. A retry with the same key returns the same seat. */
async function seat() {
  const path = code ? `/api/tables/${code}/seats` : "/api/tables";
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
    body: JSON.stringify(code || !VARIANT ? { name } : { name, variant: VARIANT }),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error.text);
  return content;
}

/** Returns the view after a patch, or null if the patch builds on another view. */
function applyPatch(view, patch) {
  if (patch.epoch !== view.epoch || patch.from !== view.version) return null;
  const { epoch, version, now, set = {}, seats = {} } = patch;
  const you = "you" in patch ? patch.you : view.you;
  return {
    ...view,
    ...{ epoch, version, now, you },
    seats: view.seats.map((one) => seats[one.seat] ?? one),
    log: [...view.log, ...patch.log].slice(-50),
    ...set,
  };
}

/** Chooses a command, if any is due. `may` lists only commands of the game itself. */
function choice({ phase, seats, you }) {
  const mine = seats.find((one) => one.seat === you.seat);
  if (phase === "lobby") return you.host && seats.length >= PLAYERS ? { type: "prepare" } : null;
  if (phase === "setup") {
    if (!mine.ready) return { type: "ready", ready: true };
    return you.host && seats.every((one) => one.ready) ? { type: "begin", first: "lot" } : null;
  }
  const own = you.may.filter((entry) => entry.as === you.seat && !("targets" in entry));
  const mostly = own.filter(({ type }) => type !== "hold" && type !== "release");
  return mostly[Math.floor(Math.random() * mostly.length)] ?? null;
}

const { table, token } = await seat();
console.log(table);
const socket = io(url, { auth: { table, token, patches: true }, transports: ["websocket"] });
let view = await new Promise((resolve) => socket.once("view", resolve));
socket.on("view", (newest) => {
  view = newest;
});
socket.on("patch", async (patch) => {
  view = applyPatch(view, patch) ?? (await socket.emitWithAck("sync"));
});
while (view.phase !== "over") {
  const command = choice(view);
  const answer = command && (await socket.emitWithAck("command", { ...command, id: randomUUID() }));
  // No command is due, or somebody else was faster, or we were rate-limited.
  if (!answer?.ok) await sleep(answer?.error.facts?.retry_after_ms ?? 50);
}
console.log(`${view.seats.find((one) => one.seat === view.winner).name} has won`);
socket.close();
