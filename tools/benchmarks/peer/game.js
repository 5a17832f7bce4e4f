/**
 * The draw grid as users of boardgame.io would write it: grids, the number of cards in each hand, a
 * window for Nopes, a log (kept by boardgame.io), and a view for each player. The real cards lie on
 * the players' tables, so only a player's own notes are hidden here. The game checks only two
 * rules: whose move it is, and whether the card exists.
 */
import { INVALID_MOVE } from "boardgame.io/dist/cjs/core.js";

const fresh = (id) => ({
  name: `Player ${id}`,
  hand: 5,
  discard: [],
  notes: {},
  grid: [
    ["down", "down", "down"],
    ["down", "down", "down"],
  ],
});

const after = (_G, ctx, id) => ctx.playOrder[(ctx.playOrder.indexOf(id) + 1) % ctx.numPlayers];
const before = (_G, ctx, id) =>
  ctx.playOrder[(ctx.playOrder.indexOf(id) + ctx.numPlayers - 1) % ctx.numPlayers];

function next(G, ctx) {
  const seat = after(G, ctx, G.turn.seat);
  const own = G.players[seat];
  if (!own.grid.flat().some(Boolean) || own.hand > 9) G.players[seat] = fresh(seat);
  G.turn = {
    number: G.turn.number + 1,
    seat,
    instructor: before(G, ctx, seat),
    step: "tell",
    told: null,
  };
}

function settle(G, ctx) {
  const { card, nopes } = G.played;
  G.window = null;
  G.played = null;
  G.turn.step = "act";
  if (nopes.length % 2) return;
  if (card === "skip") next(G, ctx);
  if (card === "shuffle") Object.assign(G.turn, { step: "tell", told: null });
}

const moves = {
  instruct({ G, playerID }, [row, column]) {
    if (G.turn.step !== "tell" || playerID !== G.turn.instructor) return INVALID_MOVE;
    if (!G.players[G.turn.seat].grid[row]?.[column]) return INVALID_MOVE;
    Object.assign(G.turn, { told: [row, column], step: "act" });
    G.version += 1;
  },
  play({ G, ctx, playerID }, card) {
    const own = G.players[playerID];
    if (G.turn.step !== "act" || playerID !== G.turn.seat || own.hand < 1) return INVALID_MOVE;
    own.hand -= 1;
    own.discard.push(card);
    G.played = { card, by: playerID, nopes: [] };
    G.window = {
      id: G.version + 1,
      seconds: 8,
      passed: [],
      may: ctx.playOrder.filter((id) => id !== playerID && G.players[id].hand),
    };
    G.turn.step = "window";
    G.version += 1;
    if (!G.window.may.length) settle(G, ctx);
  },
  nope({ G, ctx, playerID }) {
    if (!G.window?.may.includes(playerID)) return INVALID_MOVE;
    G.players[playerID].hand -= 1;
    G.players[playerID].discard.push("nope");
    G.played.nopes.push(playerID);
    Object.assign(G.window, {
      id: G.version + 1,
      passed: [],
      may: ctx.playOrder.filter((id) => id !== playerID && G.players[id].hand),
    });
    G.version += 1;
    if (!G.window.may.length) settle(G, ctx);
  },
  pass({ G, ctx, playerID }) {
    if (!G.window?.may.includes(playerID) || G.window.passed.includes(playerID))
      return INVALID_MOVE;
    G.window.passed.push(playerID);
    G.version += 1;
    if (G.window.passed.length === G.window.may.length) settle(G, ctx);
  },
  draw({ G, playerID }, [row, column]) {
    const { step, seat, told } = G.turn;
    if (step !== "act" || playerID !== seat || told[0] !== row || told[1] !== column)
      return INVALID_MOVE;
    G.turn.step = "report";
    G.version += 1;
  },
  report({ G, ctx, playerID }) {
    if (G.turn.step !== "report" || playerID !== G.turn.seat) return INVALID_MOVE;
    const [row, column] = G.turn.told;
    G.players[playerID].grid[row][column] = null;
    G.players[playerID].hand += 1;
    G.version += 1;
    next(G, ctx);
  },
};

export const DrawGrid = {
  name: "draw-grid",
  minPlayers: 2,
  maxPlayers: 10,
  setup: ({ ctx }) => ({
    version: 0,
    players: Object.fromEntries(ctx.playOrder.map((id) => [id, fresh(id)])),
    turn: { number: 1, seat: "0", instructor: before(null, ctx, "0"), step: "tell", told: null },
    played: null,
    window: null,
  }),
  turn: { activePlayers: { all: "any" }, stages: { any: { moves } } },
  moves,
  playerView: ({ G, playerID }) => ({
    ...G,
    players: Object.fromEntries(
      Object.entries(G.players).map(([id, player]) => [
        id,
        id === playerID ? player : { ...player, notes: null },
      ]),
    ),
  }),
};
