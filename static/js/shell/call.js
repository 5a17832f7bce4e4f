/**
 * What the host says to the call now, in words to read aloud. Pure: a key and its facts
 * as words, for the call sheet and for the voice.
 * @import { View } from "../core/types.js"
 */
import { title } from "../core/deck.js";
import { asked, nameOf, seatOf } from "../core/moves.js";
import { spoken } from "../grid/place.js";
import { listed, t } from "../core/text.js";

/** @param {View} view @returns {string} */
export function call(view) {
  if (view.winner) return t("call.won", { who: nameOf(view, view.winner) });
  if (view.phase === "lobby") return t("call.lobby", { code: [...view.table].join(" ") });
  if (view.phase === "setup") return setup(view);
  if (view.roll_call) return t("call.roll", { who: nameOf(view, asked(view)) });
  return view.window ? open(view) : stepped(view);
}

/** @param {View} view */
function setup(view) {
  const waits = view.seats.filter((seat) => !seat.ready).map((seat) => seat.name);
  return waits.length ? t("call.setup", { names: listed(waits) }) : t("call.first");
}

/** @param {View} view */
function open(view) {
  const played = view.played;
  const last = played?.nopes.at(-1);
  const facts = {
    who: nameOf(view, last ?? played?.by),
    card: title(played?.card ?? ""),
    count: view.window?.seconds,
  };
  return t(last ? "call.nope" : "call.played", facts);
}

/** @param {View} view */
function stepped(view) {
  const turn = view.turn;
  if (!turn) return "";
  const seat = turn.step === "reveal" ? seatOf(view, view.played?.target) : seatOf(view, turn.seat);
  const cell = turn.step === "reveal" ? view.played?.cell : turn.told;
  const place = seat && cell ? spoken(seat.grid, cell) : "";
  return t(`call.${turn.step}`, { who: seat?.name, by: nameOf(view, turn.instructor), place });
}
