/** boardgame.io's server with this game: node server.js PORT memory|file|postgresql [WHERE] */
import boardgame from "boardgame.io/dist/cjs/server.js";
import postgres from "bgio-postgres";
import { DrawGrid } from "./game.js";

const { FlatFile, Server, Origins } = boardgame;
const [port, storage, where] = process.argv.slice(2);
const storages = {
  memory: () => undefined,
  file: () => new FlatFile({ dir: where }),
  // Without `logging: false`, the storage prints every SQL statement.
  postgresql: () => new postgres.PostgresStore(where, { logging: false }),
};
const server = Server({
  games: [DrawGrid],
  origins: [Origins.LOCALHOST],
  db: storages[storage](),
});
await server.run({ port: Number(port), callback: () => console.log("Ready:") });
