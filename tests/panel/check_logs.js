/**
 * Run the panel's check of opened decks on logs, for `tests/support/fair_run.py`.
 *
 * Each line of the input is a log. Each line of the output has the findings for the log's first
 * game, by seat: `{seat: [[version, kind, shown card, actual card], …]}`.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { checkDeck, splitGames } from "../../static/js/grid/check.js";
import { readPack } from "../../static/js/grid/fair.js";

const known = new URL("../../docs/known-answers.json", import.meta.url);
const pack = readPack(JSON.parse(readFileSync(known, "utf-8")).variant);

for await (const line of createInterface({ input: process.stdin })) {
  const [game] = splitGames(JSON.parse(line));
  const found = Object.keys(game.opened).map((seat) => [
    seat,
    checkDeck(pack, game, seat).map((one) => [
      one.version,
      one.what,
      one.shownCard ?? null,
      one.actualCard ?? null,
    ]),
  ]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(found))}\n`);
}
