// A player with no cards, in JavaScript: it says at random whatever may be said, to the game's end.
//
//     npm install socket.io-client
//     node player.mjs http://127.0.0.1:8000 Ana              makes a table and prints its code
//     node player.mjs http://127.0.0.1:8000 Ben KXQF7H       sits down at it
//
// Whoever made the table begins once as many sit as PLAYERS says (2). docs/protocol.md has the rest.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { io } from "socket.io-client";

const { PLAYERS = 2, VARIANT } = process.env;
const [url, name, code] = process.argv.slice(2);

/** A seat at a table: `{table, seat, token}`; with the key a lost answer can be had again. */
async function seat() {
  const path = code ? `/api/tables/${code}/seats` : "/api/tables";
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
    body: JSON.stringify(code || !VARIANT ? { name } : { name, variant: VARIANT }),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error.text);
  return said;
}

/** The view of the next version; null: the patch belongs to another one. */
function patched(view, patch) {
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

/** What to say now, if anything. What isn't of the game is not in `may`. */
function choice({ phase, seats, you }) {
  const mine = seats.find((one) => one.seat === you.seat);
  if (phase === "lobby") return you.host && seats.length >= PLAYERS ? { type: "prepare" } : null;
  if (phase === "setup") {
    if (!mine.ready) return { type: "ready", ready: true };
    return you.host && seats.every((one) => one.ready) ? { type: "begin", first: "lot" } : null;
  }
  const own = you.may.filter((said) => said.as === you.seat && !("targets" in said));
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
  view = patched(view, patch) ?? (await socket.emitWithAck("sync"));
});
while (view.phase !== "over") {
  const said = choice(view);
  const answer = said && (await socket.emitWithAck("command", { ...said, id: randomUUID() }));
  // Nothing to say; or somebody else was faster, or we were too fast.
  if (!answer?.ok) await sleep(answer?.error.facts?.retry_after_ms ?? 50);
}
console.log(`${view.seats.find((one) => one.seat === view.winner).name} has won`);
socket.close();
