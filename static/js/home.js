/** The page to make a table or to join one. */
import { art } from "../art/art.js";
import { wordmark } from "../art/wordmark.js";
import { hero } from "../art/scenes.js";
import { joinIsolated } from "./core/direction.js";
import { namesFragment, namesInFragment, evenings } from "./core/evening.js";
import * as house from "./core/house.js";
import { Refusal, request, pause } from "./core/http.js";
import { html, nothing, render } from "./core/lit.js";
import { applyTheme, at } from "./core/page.js";
import * as memory from "./core/memory.js";
import * as text from "./core/text.js";
import { t } from "./core/text.js";
import { gameFile, games, looks } from "./shell/choice.js";
import { nameField, nameButtons } from "./shell/join.js";

/** So long the page waits for what can be played here before it is drawn. */
const SOON_MS = 500;

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
let prefs = memory.recallChoices();
/** What is wrong, and with which of the ways in. @type {{text: string, go: Function} | null} */
let wrong = null;
/** Who was there the last time, where the address says it. */
const friends = namesInFragment(location.hash);
/** Whether this page stands where there is none. */
const isLost = location.pathname !== at("/");
/** House rules that the address brings; null: they can't be read. */
const arrived = house.rulesInFragment(location.hash);
/** Which of them a new table plays by. @type {import("./core/house.js").Kept | null} */
let rules = arrived ?? null;
/** Whether robots play here; until that is known, they do. */
let robots = true;
/** What can be played here, once that is known. @type {import("./shell/choice.js").Game[]} */
let known = [];
/** Pictures, which come once the rest stands. @type {typeof import("../art/layouts.js") | null} */
let pictures = null;

/** @param {SubmitEvent} event @param {(fields: FormData) => Promise<string>} go */
function submit(event, go) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  return through(form.querySelector("button"), go, new FormData(form));
}

/**
 * A way in leads to a table, or says why not.
 * @param {Element | null} button
 * @param {(fields: FormData) => Promise<string>} go
 * @param {FormData} fields
 */
async function through(button, go, fields) {
  button?.classList.add("pending");
  try {
    memory.openPage(at(`/t/${await go(fields)}`));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    wrong = { text: error.problem.text, go };
    draw();
  } finally {
    button?.classList.remove("pending");
  }
}

/** @param {FormData} fields */
async function make(fields) {
  const name = String(fields.get("name"));
  const game = String(fields.get("variant") ?? "");
  keep({ name, game });
  const variant = game && game !== known[0]?.id ? { variant: game } : {};
  const own = rules?.like === playedNow() ? { rules: rules?.rules } : {};
  const place = await request("/api/tables", { name, ...variant, ...own });
  memory.storeSeat(place);
  return place.table + (friends.length ? namesFragment(friends.filter((one) => one !== name)) : "");
}

/** The game that a new table plays, as far as that is known. */
const playedNow = () => (known.find((one) => one.id === prefs.game) ?? known[0])?.id;

/** House rules that this device remembers, or the address brings, for the game that is chosen. */
function byHouse() {
  const found = [...(arrived ? [arrived] : []), ...house.savedRules()].filter(
    (one) => one.like === playedNow(),
  );
  if (!found.length) return nothing;
  return html`<label class="field">
    <span>${t("sheet.house")}</span>
    <select name="rules"
      @change=${(/** @type {Event} */ event) => {
        rules = found[/** @type {HTMLSelectElement} */ (event.target).selectedIndex - 1] ?? null;
      }}>
      <option>${t("home.rules.none")}</option>
      ${found.map(
        (one) => html`<option ?selected=${one === rules}>
          ${one.rules.name || t("home.rules.brought")}
        </option>`,
      )}
    </select>
  </label>`;
}

/** Why the house rules of the address can't be had. */
function rulesProblem() {
  const other = arrived && known.length && !known.some(({ id }) => id === arrived.like);
  if (arrived !== null && !other) return nothing;
  return html`<p class="soft" role="status">${t(other ? "home.rules.other" : "home.rules.bad")}</p>`;
}

/** The draw grid that is chosen, or the first one: only there do robots sit down. */
const practiceGame = () =>
  [known.find((one) => one.id === prefs.game), ...known].find((one) => one?.family === "grid");

/** A game at once, against robots, with a deck that this device keeps. @param {FormData} fields */
async function practise(fields) {
  const { canStore: keeps } = await import("./core/vault.js");
  if (!(await keeps())) throw new Refusal({ code: "no-storage", text: t("practise.no-storage") });
  const typed = String(fields.get("name") ?? "").trim();
  if (typed) keep({ name: typed });
  const variant = practiceGame()?.id;
  const place = await request("/api/practice", {
    name: typed || t("practise.name"),
    ...(variant && variant !== known[0]?.id ? { variant } : {}),
  });
  memory.storeSeat(place);
  keep({ practice: { table: place.table, begins: true }, lessons: taught(place.table) });
  return place.table;
}

/** The hints of a first game, unless they were put away. @param {string} table */
const taught = (table) => {
  const { off = false, seen = [] } = prefs.lessons ?? {};
  return { off, seen, table: off ? null : table };
};

/** @param {FormData} fields */
async function join(fields) {
  const { code, rest } = memory.parseLink(String(fields.get("code")));
  if (rest) return code + rest;
  try {
    await request(`/api/tables/${encodeURIComponent(code)}`);
  } catch (error) {
    // Joining isn't watching: where nobody watches the table's own page says what can be done.
    if (!(error instanceof Refusal && error.problem.facts?.door)) throw error;
  }
  return code;
}

/** The same choices as at a table. @param {object} change */
function keep(change) {
  prefs = { ...prefs, ...change };
  memory.keep("prefs", prefs);
}

/** @param {string} key @param {string} value */
async function prefer(key, value) {
  keep({ [key]: value });
  wrong = null;
  await dress();
}

/** @param {string} key */
function refuseFile(key) {
  wrong = { text: t(key), go: gameFile };
  draw();
}

const draw = () => render(page(), root);

/**
 * It stands where it was asked: in the first screenful of a phone the rest of the page isn't.
 * @param {Function} go
 */
const refusal = (go) =>
  wrong?.go === go ? html`<div class="toast" role="alert">${wrong.text}</div>` : nothing;

/** What needs nobody and nothing. */
const alone = () =>
  robots && (!known.length || practiceGame())
    ? html`<button type="button" class="press wide practise" data-do="practise"
      @click=${(/** @type {Event} */ event) => {
        const form = /** @type {HTMLFormElement} */ (root.querySelector("form"));
        return through(/** @type {Element} */ (event.currentTarget), practise, new FormData(form));
      }}>
      ${art("robot")}<span>${t("practise")}<small>${t("practise.what")}</small></span>
    </button>${refusal(practise)}`
    : nothing;

/** To the table that this device was at last. */
function back() {
  const code = memory.recentTables()[0];
  if (!code) return nothing;
  return html`<a class="press wide back" href=${at(`/t/${code}`)}>
    ${prefs.veil ? t("home.back.veiled") : t("home.back", { code })}
  </a>`;
}

function page() {
  return html`<div class="home">
    <div class="hero">
      ${hero()}
      <h1 aria-label="Hiss">${wordmark()}</h1>
      <p>${t("home.what")}</p>
      ${isLost ? html`<p class="toast" role="status">${t("home.lost")}</p>` : nothing}
      ${back()}${alone()}
    </div>
    <form class="panel" @submit=${(/** @type {SubmitEvent} */ event) => submit(event, make)}>
      ${nameButtons(friends)}
      ${nameField({}, { label: t("name"), spot: "name", value: prefs.name, complete: "nickname" })}
      ${games(known, prefs.game, (game) => {
        keep({ game });
        draw();
      })}
      ${byHouse()}${rulesProblem()}
      <button class="press main wide">${t("home.make")}</button>
      ${refusal(make)}
    </form>
    <div class="or">${t("home.or")}</div>
    <form class="panel" @submit=${(/** @type {SubmitEvent} */ event) => submit(event, join)}>
      <label class="field">
        <span>${t("home.code")}</span>
        <input class="code" name="code" required maxlength="500" autocomplete="off"
          autocapitalize="characters" spellcheck="false">
      </label>
      <button class="press wide">${t("home.join")}</button>
      ${refusal(join)}
    </form>
    ${gameFile(refuseFile)}${refusal(gameFile)}
    ${past()}
    ${beside()}
    <div class="panel looks">${looks(prefs.theme, prefer)}</div>
    <footer>${t("home.foot")}</footer>
  </div>`;
}

/** The evenings that this device remembers: each opens where it ended, or anew with the same people. */
function past() {
  const kept = evenings();
  if (!kept.length) return nothing;
  return html`<section class="panel past" aria-labelledby="past">
    <h2 id="past">${t("home.past")}</h2>
    <ul>
      ${kept.map(
        ({ table, names, games: count, at: when }) =>
          html`<li>
            <a class="grow" href=${at(`/t/${table}`)}><b>${text.formatDate(when, "medium")}</b>
              <span>${joinIsolated(names, ", ")}</span>
              <span class="soft">${t("home.past.games", { count })}</span></a>
            <a class="press small" href=${`${at("/")}${namesFragment(names)}`}>${t("evening.again")}</a>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Where the panel stands beside the call. */
function beside() {
  if (!pictures) return nothing;
  const { layout, ways } = pictures;
  return html`<section class="panel layouts" aria-labelledby="layouts">
    <h2 id="layouts">${t("layouts")}</h2>
    <ul>
      ${ways.map(
        (way) =>
          html`<li data-layout=${way}>${layout(way)}
            <div><h3>${t(`layout.${way}`)}</h3><p>${t(`layout.${way}.what`)}</p></div>
          </li>`,
      )}
    </ul>
  </section>`;
}

async function dress() {
  applyTheme(prefs.theme);
  await text.loadWords(text.languagesWanted(prefs.language ?? null, navigator.languages), "late");
  draw();
}

/** What the server says of what can be played; where it doesn't answer, the rest stands. */
const told = [
  request("/api/variants").then(
    (found) => {
      known = found;
      if (rules && known.some(({ id }) => id === rules?.like)) keep({ game: rules.like });
    },
    () => null,
  ),
  request("/api/robots").then(
    ({ most }) => {
      robots = most > 0;
    },
    () => null,
  ),
];
// Another evening's names, at the same address.
addEventListener("hashchange", () => location.reload());
// What is there soon is waited for: it would move what a thumb is about to hit.
await Promise.race([Promise.all(told), pause(SOON_MS)]);
await dress();
for (const one of told) one.then(draw);
import("../art/layouts.js").then((found) => {
  pictures = found;
  draw();
});
