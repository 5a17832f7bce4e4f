/** The start page, where visitors create a table, join a table, or practise alone. */
import { art } from "../art/art.js";
import * as howto from "../art/howto.js";
import { wordmark } from "../art/wordmark.js";
import { hero } from "../art/scenes.js";
import { joinIsolated } from "./core/direction.js";
import { formatNamesFragment, parseNamesFragment, readEvenings } from "./core/evening.js";
import * as house from "./core/house.js";
import { Refusal, request, pause } from "./core/http.js";
import { createLazyPart } from "./core/late.js";
import { html, live, nothing, render } from "./core/lit.js";
import { applyTheme, isLocalAddress, readNameFromLink, resolvePath } from "./core/page.js";
import * as memory from "./core/memory.js";
import { requestServerInfo } from "./core/server.js";
import * as text from "./core/text.js";
import { t } from "./core/text.js";
import { renderComic } from "./shell/comic.js";
import {
  renderGameFileButton,
  renderGameChoice,
  getFamilyTitle,
  renderThemeAndLanguageChoices,
} from "./shell/choice.js";
import { renderNameField, renderNameButtons } from "./shell/join.js";

/** Time that the page waits for the list of games before it is drawn without the list. */
const GAMES_WAIT_MS = 500;

const friends = createLazyPart(() => import("./shell/friends.js"), "friends");

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
let prefs = memory.readPreferences();
/**
 * The last error, and the action that caused it. The error is shown below that action's button.
 * @type {{text: string, go: Function} | null}
 */
let lastError = null;
/** The names of the players of an earlier session, from the address's fragment. */
const earlierPlayers = parseNamesFragment(location.hash);
/** True if the server sent this page for an address that doesn't exist. */
const isLost = location.pathname !== resolvePath("/");
/**
 * The house rules in the address's fragment. null means that they are unreadable, undefined that
 * there are none.
 */
const linkedRules = house.parseRulesFragment(location.hash);
/** The house rules of a new table. @type {import("./core/house.js").SavedRules | null} */
let rules = linkedRules ?? null;
/** True if the server offers robots, or hasn't answered yet. */
let hasRobots = true;
/**
 * The games that the server offers. Empty until the server has answered.
 * @type {import("./shell/choice.js").Game[]}
 */
let games = [];
/**
 * The pictures of screen layouts. null until they are loaded, which happens after the page is
 * drawn.
 * @type {typeof import("../art/layouts.js") | null}
 */
let layoutPictures = null;
/**
 * The pictures of each family's comic. The draw grid's are part of the page, the others are loaded
 * when a visitor chooses the family.
 * @type {Record<string, import("./shell/comic.js").ComicPictures>}
 */
const comics = { grid: howto };

/**
 * Handles a form's submit event with an action, in place of the browser.
 * @param {SubmitEvent} event
 * @param {(fields: FormData) => Promise<string>} go
 */
function handleSubmit(event, go) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  return runAndOpenTable(form.querySelector("button"), go, new FormData(form));
}

/**
 * Runs an action and opens the table that it returns. If the server refuses, shows why.
 * @param {Element | null} button
 * @param {(fields: FormData) => Promise<string>} go returns the path of the table, without `/t/`
 * @param {FormData} fields
 */
async function runAndOpenTable(button, go, fields) {
  button?.classList.add("pending");
  try {
    memory.openPage(resolvePath(`/t/${await go(fields)}`));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    lastError = { text: error.problem.text, go };
    drawPage();
  } finally {
    button?.classList.remove("pending");
  }
}

/** Creates a table and takes a seat at it. @param {FormData} fields */
async function createTable(fields) {
  const name = String(fields.get("name"));
  const game = String(fields.get("expansion") ?? fields.get("variant") ?? "");
  storePreferences({ name, game });
  const variant = game && game !== games[0]?.id ? { variant: game } : {};
  const houseRules = findChosenRules();
  const newSeat = await request("/api/tables", {
    name,
    ...variant,
    ...(houseRules && { rules: houseRules.rules }),
  });
  memory.storeSeat(newSeat);
  return (
    newSeat.table +
    (earlierPlayers.length
      ? formatNamesFragment(earlierPlayers.filter((player) => player !== name))
      : "")
  );
}

/** Returns the game that a new table plays, or undefined before the games are loaded. */
const getChosenGame = () => games.find((game) => game.id === prefs.game) ?? games[0];

/** Returns the id of the game that a new table plays, or undefined before the games are loaded. */
const getChosenGameId = () => getChosenGame()?.id;

/** Returns the family that the page explains: that of the chosen game, if there are texts for it. */
function getShownFamily() {
  const family = getChosenGame()?.family ?? "grid";
  return text.hasSentence(`home.title.${family}`) ? family : "grid";
}

/** Loads the pictures of the shown family's comic, unless the page has them. */
async function loadComic() {
  if (getShownFamily() !== "pile" || comics.pile) return;
  comics.pile = await import("../art/pile/howto.js");
  drawPage();
}

/**
 * Returns the house rules that the chosen game can be played with: those in the address and those
 * stored on this device.
 */
const listHouseRules = () =>
  [...(linkedRules ? [linkedRules] : []), ...house.readSavedRules()].filter(
    (saved) => saved.like === getChosenGameId(),
  );

/**
 * Returns the house rules that the page shows as chosen and that a new table gets, or undefined.
 * Compares their content, because stored rules are parsed again each time.
 */
const findChosenRules = (choices = listHouseRules()) =>
  choices.find((saved) => JSON.stringify(saved) === JSON.stringify(rules));

/** Renders the choice of house rules for the chosen game. */
function renderHouseRulesChoice() {
  const choices = listHouseRules();
  const chosen = findChosenRules(choices);
  if (!choices.length) return nothing;
  return html`<label class="field">
    <span>${t("sheet.house")}</span>
    <select name="rules"
      @change=${(/** @type {Event} */ event) => {
        rules = choices[/** @type {HTMLSelectElement} */ (event.target).selectedIndex - 1] ?? null;
      }}>
      <option .selected=${live(!chosen)}>${t("home.rules.none")}</option>
      ${choices.map(
        (saved) => html`<option .selected=${live(saved === chosen)}>
          ${saved.rules.name || t("home.rules.brought")}
        </option>`,
      )}
    </select>
  </label>`;
}

/** Renders the reason why the house rules in the address can't be used. */
function renderRulesProblem() {
  const isForOtherGame =
    linkedRules && games.length && !games.some(({ id }) => id === linkedRules.like);
  if (linkedRules !== null && !isForOtherGame) return nothing;
  return html`<p class="soft" role="status">${t(isForOtherGame ? "home.rules.other" : "home.rules.bad")}</p>`;
}

/**
 * Returns the game for practice: the chosen game if it is a draw grid, else the first draw grid.
 * Other families have no practice tables.
 */
const findPracticeGame = () =>
  [games.find((game) => game.id === prefs.game), ...games].find((game) => game?.family === "grid");

/** Starts a game against robots, with a deck that this device keeps. @param {FormData} fields */
async function startPractice(fields) {
  const { canStoreSecrets } = await import("./core/vault.js");
  if (!(await canStoreSecrets()))
    throw new Refusal({ code: "no-storage", text: t("practise.no-storage") });
  const typed = String(fields.get("name") ?? "").trim();
  if (typed) storePreferences({ name: typed });
  const variant = findPracticeGame()?.id;
  const newSeat = await request("/api/practice", {
    name: typed || t("practise.name"),
    ...(variant && variant !== games[0]?.id ? { variant } : {}),
  });
  memory.storeSeat(newSeat);
  storePreferences({
    practice: { table: newSeat.table, begins: true },
    lessons: getLessonPreference(newSeat.table),
  });
  return newSeat.table;
}

/**
 * Returns the viewer's preference for lessons, changed so that lessons appear at this table. If the
 * viewer has switched lessons off, they stay off.
 * @param {string} table
 */
const getLessonPreference = (table) => {
  const { off = false, seen = [] } = prefs.lessons ?? {};
  return { off, seen, table: off ? null : table };
};

/** Checks a typed code or link. Returns the path of its table. @param {FormData} fields */
async function findTable(fields) {
  const { code, rest } = memory.parseLink(String(fields.get("code")));
  if (rest) return code + rest;
  try {
    await request(`/api/tables/${encodeURIComponent(code)}`);
  } catch (error) {
    // If `facts.door` is set, the table exists but admits no spectators. The table's page explains
    // how to join.
    if (!(error instanceof Refusal && error.problem.facts?.door)) throw error;
  }
  return code;
}

/**
 * Changes the viewer's preferences, which the tables' pages read, too.
 * @param {Record<string, any>} change
 */
function storePreferences(change) {
  prefs = { ...prefs, ...change };
  memory.storePreferences(change);
}

/** Sets a preference and redraws the page. @param {string} key @param {string} value */
async function changePreference(key, value) {
  storePreferences({ [key]: value });
  lastError = null;
  await applyPreferences();
}

/** Shows why a file can't be opened. @param {string} key of the message */
function showFileProblem(key) {
  lastError = { text: t(key), go: renderGameFileButton };
  drawPage();
}

const drawPage = () => render(renderPage(), root);

/**
 * Renders the error below the button of the action that caused it. Anywhere else, it might not be
 * visible on a phone.
 * @param {Function} go
 */
const renderRefusal = (go) =>
  lastError?.go === go ? html`<div class="toast" role="alert">${lastError.text}</div>` : nothing;

/** Renders the button "Practise alone". */
const renderPracticeButton = () =>
  hasRobots && (!games.length || findPracticeGame())
    ? html`<button type="button" class="press wide practise" data-do="practise"
      @click=${(/** @type {Event} */ event) => {
        const form = /** @type {HTMLFormElement} */ (root.querySelector("form"));
        return runAndOpenTable(
          /** @type {Element} */ (event.currentTarget),
          startPractice,
          new FormData(form),
        );
      }}>
      ${art("robot")}<span>${t("practise")}<small>${t("practise.what")}</small></span>
    </button>${renderRefusal(startPractice)}`
    : nothing;

/**
 * Renders the sentence about the people who can reach the server, on the server's own machine. Until
 * the sentence is known, keeps its place free, so that the buttons below stay where they are.
 */
function renderFriends() {
  if (!isLocalAddress) return nothing;
  const page = { draw: drawPage, serverInfo };
  const content = friends(page, (part) => part.renderFriends(page));
  return content === nothing ? html`<div class="friends-soon"></div>` : content;
}

/** Renders a link to the table that this device visited last. */
function renderLastTableLink() {
  const code = memory.readRecentTables()[0];
  if (!code) return nothing;
  return html`<a class="press wide back" href=${resolvePath(`/t/${code}`)}>
    ${prefs.veil ? t("home.back.veiled") : t("home.back", { code })}
  </a>`;
}

/**
 * Renders what a newcomer must know: what this page is for, how the game works in three pictures,
 * and what everybody needs.
 */
function renderPitch() {
  const family = getShownFamily();
  const pictures = comics[family];
  return html`<div class="pitch">
    <header class="hero">
      ${hero()}
      <div>
        <span class="hero-name" role="img" aria-label="Hiss">${wordmark()}</span>
        <h1>${t(`home.title.${family}`)}</h1>
      </div>
    </header>
    <p class="what">${t(`home.what.${family}`)}</p>
    ${pictures ? renderComic(family, pictures) : html`<div class="comic-soon"></div>`}
    <p class="need">${art("cards")}<span>${t(`home.need.${family}`)}</span></p>
  </div>`;
}

/**
 * Renders the choice of the game and of its house rules. It is folded, unless the address contains
 * house rules.
 */
function renderGameFold() {
  const game = getChosenGame();
  if (!game) return nothing;
  const more = [
    renderGameChoice(games, prefs.game, (chosen) => {
      storePreferences({ game: chosen });
      drawPage();
      loadComic();
    }),
    renderHouseRulesChoice(),
    renderRulesProblem(),
  ];
  return html`<details class="games-fold" ?open=${linkedRules !== undefined}>
    <summary><span class="soft">${t("games")}</span> <b>${getFamilyTitle(game.family)}</b></summary>
    <div>${more}</div>
  </details>`;
}

function renderPage() {
  return html`<div class="home">
    ${isLost ? html`<p class="toast lost" role="status">${t("home.lost")}</p>` : nothing}
    ${renderPitch()}
    <form class="panel make"
      @submit=${(/** @type {SubmitEvent} */ event) => handleSubmit(event, createTable)}>
      ${renderLastTableLink()}
      ${renderNameButtons(earlierPlayers)}
      ${renderNameField(
        {},
        {
          label: t("name"),
          spot: "name",
          value: readNameFromLink() || prefs.name,
          complete: "nickname",
        },
      )}
      <button class="press main wide">${t("home.make")}</button>
      ${renderRefusal(createTable)}
      <p class="soft free">${t("home.free")}</p>
      ${renderGameFold()}
    </form>
    ${renderFriends()}
    ${renderPracticeButton()}
    <form class="panel" @submit=${(/** @type {SubmitEvent} */ event) => handleSubmit(event, findTable)}>
      <label class="field">
        <span>${t("home.code")}</span>
        <input class="code" name="code" required maxlength="500" autocomplete="off"
          autocapitalize="characters" spellcheck="false">
      </label>
      <button class="press wide">${t("home.join")}</button>
      ${renderRefusal(findTable)}
    </form>
    ${renderGameFileButton(showFileProblem)}${renderRefusal(renderGameFileButton)}
    ${renderPastEvenings()}
    ${renderScreenLayouts()}
    <div class="panel looks">${renderThemeAndLanguageChoices(prefs.theme, changePreference)}</div>
    <footer>${t("home.foot")}</footer>
  </div>`;
}

/**
 * Lists the stored sessions. Each has a link to its table, and a link to a new table for the same
 * people.
 */
function renderPastEvenings() {
  const storedEvenings = readEvenings();
  if (!storedEvenings.length) return nothing;
  return html`<section class="panel past" aria-labelledby="past">
    <h2 id="past">${t("home.past")}</h2>
    <ul>
      ${storedEvenings.map(
        ({ table, names, games: count, at: when }) =>
          html`<li>
            <a class="grow" href=${resolvePath(`/t/${table}`)}><b>${text.formatDate(when, "medium")}</b>
              <span>${joinIsolated(names, ", ")}</span>
              <span class="soft">${t("home.past.games", { count })}</span></a>
            <a class="press small"
              href=${`${resolvePath("/")}${formatNamesFragment(names)}`}>${t("evening.again")}</a>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Renders pictures of ways to arrange the panel and the video call on a screen. */
function renderScreenLayouts() {
  if (!layoutPictures) return nothing;
  const { layout, ways } = layoutPictures;
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

/** Applies the preferences for theme and language, then draws the page. */
async function applyPreferences() {
  applyTheme(prefs.theme);
  await text.loadSentences(
    text.listWantedLanguages(prefs.language ?? null, navigator.languages),
    "late",
  );
  drawPage();
  loadComic();
}

/**
 * Draws the page with the preferences that another window may have changed. The tables, sessions and
 * house rules that the page lists are read again, too.
 * @param {Record<string, any>} stored
 */
function adoptPreferences(stored) {
  const isSameLanguage = stored.language === prefs.language;
  prefs = stored;
  if (!isSameLanguage) return applyPreferences();
  applyTheme(prefs.theme);
  drawPage();
}

/** The list of games. */
const gameList = request("/api/variants");
/** The server's information. It is requested once, for the robots and for the sentence about friends. */
const serverInfo = requestServerInfo();
/** The requests for the games and the robots. If one fails, the page keeps its defaults. */
const startupRequests = [
  gameList.then(
    (found) => {
      games = found;
      if (rules && games.some(({ id }) => id === rules?.like))
        storePreferences({ game: rules.like });
    },
    () => null,
  ),
  serverInfo.then(
    ({ robots }) => {
      hasRobots = robots.most > 0;
    },
    () => null,
  ),
];
// The new fragment contains other names or rules, and these are read only when the page loads.
addEventListener("hashchange", () => location.reload());
// Wait briefly, because a late answer would move the buttons under the viewer's thumb.
await Promise.race([Promise.all(startupRequests), pause(GAMES_WAIT_MS)]);
await applyPreferences();
for (const loading of startupRequests)
  loading.then(() => {
    drawPage();
    loadComic();
  });
import("../art/layouts.js").then((found) => {
  layoutPictures = found;
  drawPage();
});
import("./core/follow.js").then(
  ({ watchPreferences }) => watchPreferences(() => prefs, adoptPreferences),
  () => null,
);
