// Two players who know what `wire.mjs` and its types say, made of the two documents, and nothing else.
// They say at random what may be said; the last line is who has won.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { io } from "socket.io-client";
import { makeTable, takeSeat, watch } from "./wire.mjs";

/** @import { Socket } from "socket.io-client" */
/** @import { Auth, Command, GridView, Heard, PileView, Said, Seated } from "./wire.mjs" */

const [server, variant] = process.argv.slice(2);

/** @param {GridView | PileView} view @returns {Command | null} */
function choice({ phase, seats, you }) {
  if (!you) return null;
  const id = randomUUID();
  const mine = seats.find((one) => one.seat === you.seat);
  if (phase === "lobby") return you.host && seats.length === 2 ? { type: "prepare", id } : null;
  if (phase === "setup" && !mine?.ready) return { type: "ready", ready: true, id };
  if (phase === "setup")
    return you.host && seats.every((one) => one.ready) ? { type: "begin", first: "lot", id } : null;
  const own = [];
  for (const said of you.may)
    if (said.type !== "combo" && said.type !== "hold" && said.type !== "release")
      if (said.as === you.seat) own.push(Object.assign({}, said, { id }));
  return own[Math.floor(Math.random() * own.length)] ?? null;
}

/** @param {Seated} seated */
async function play({ table, token }) {
  /** @type {Auth} */
  const auth = { table, token };
  /** @type {Socket<Heard, Said>} */
  const socket = io(server, { auth, transports: ["websocket"] });
  /** @type {GridView | PileView | null} */
  let view = null;
  socket.on("view", (newest) => {
    view = newest;
  });
  const now = () => view;
  for (let seen = now(); seen?.phase !== "over"; seen = now()) {
    const said = seen && choice(seen);
    const answer = said && (await socket.emitWithAck("command", said));
    if (!answer?.ok) await sleep(20);
  }
  socket.close();
}

const ana = await makeTable(server, {}, { name: "Ana", variant });
const ben = await takeSeat(server, { code: ana.table }, { name: "Ben" });
await Promise.all([play(ana), play(ben)]);
const view = await watch(server, { code: ana.table }, null, ana.token);
console.log(view.seats.find((one) => one.seat === view.winner)?.name, "has won");
