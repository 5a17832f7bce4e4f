/** boardgame.io's server with this game, in memory: node server.js PORT */
import boardgame from "boardgame.io/dist/cjs/server.js";
import { DrawGrid } from "./game.js";

const { Server, Origins } = boardgame;
const server = Server({ games: [DrawGrid], origins: [Origins.LOCALHOST] });
await server.run({ port: Number(process.argv[2]), callback: () => console.log("Ready:") });
