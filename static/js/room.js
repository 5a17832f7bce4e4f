/**
 * The page of a launcher's link, `/t/new?room=<word>`. Its button brings everybody with the same
 * word to one table. Opening the page changes nothing, because chats open links for a preview.
 */
import { hero } from "../art/scenes.js";
import { wordmark } from "../art/wordmark.js";
import { sendWithToken } from "./core/former.js";
import { Refusal, request } from "./core/http.js";
import { html, nothing, render } from "./core/lit.js";
import * as memory from "./core/memory.js";
import { applyTheme, readNameFromLink, resolvePath } from "./core/page.js";
import * as text from "./core/text.js";
import { t } from "./core/text.js";
import { renderNameField } from "./shell/join.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const query = new URLSearchParams(location.search);
const word = query.get("room") ?? "";
const isWordValid = /^[\w-]{22,64}$/.test(word);
const prefs = memory.readPreferences();
/** The reason why the server refused the last request. */
let refusal = "";

/**
 * Returns the last table that this device reached with a launcher's word, and that word. In a
 * browser that keeps no cookies, the table's stored token identifies the seat.
 * @returns {{word: string, table: string} | null}
 */
const readLastRoom = () =>
  memory.readValue(
    "room",
    (value) => memory.isRecord(value) && memory.isText(value.word) && memory.isText(value.table),
  );

/** Takes a seat at the table of the link's word, and opens the table. @param {SubmitEvent} event */
async function enter(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const name = String(new FormData(form).get("name") ?? "").trim();
  const variant = query.get("variant");
  const button = form.querySelector("button.main");
  button?.classList.add("pending");
  try {
    const lastRoom = readLastRoom();
    const seat = lastRoom?.word === word ? memory.readStoredSeat(lastRoom.table) : null;
    const content = { room: word, name, ...(variant ? { variant } : {}) };
    const answer = await sendWithToken(seat?.token, (token) =>
      request("/api/rooms", content, token),
    );
    if (answer.token) memory.storeSeat(answer);
    memory.storeValue("room", { word, table: answer.table });
    memory.storePreferences({ name });
    memory.openPage(resolvePath(`/t/${answer.table}`));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error.problem.text;
    drawPage();
  } finally {
    button?.classList.remove("pending");
  }
}

const drawPage = () => render(renderPage(), root);

const renderPage = () =>
  html`<div class="home room">
    <header class="hero">
      ${hero()}
      <div>
        <span class="hero-name" role="img" aria-label="Hiss">${wordmark()}</span>
        <h1>${t("room.title")}</h1>
      </div>
    </header>
    ${isWordValid ? renderForm() : renderBadLink()}
  </div>`;

const renderForm = () =>
  html`<form class="panel" @submit=${enter}>
    <p>${t("room.what")}</p>
    ${renderNameField(
      {},
      {
        label: t("name"),
        spot: "name",
        value: readNameFromLink() || prefs.name,
        complete: "nickname",
      },
    )}
    <button class="press main wide" data-do="enter">${t("room.enter")}</button>
    ${refusal ? html`<div class="toast" role="alert">${refusal}</div>` : nothing}
    <p class="soft free">${t("invited.free")}</p>
  </form>`;

const renderBadLink = () =>
  html`<p class="toast" role="status">${t("room.bad")}</p>
    <a class="press wide" href=${resolvePath("/")}>${t("home")}</a>`;

applyTheme(prefs.theme);
await text.loadSentences(
  text.listWantedLanguages(prefs.language ?? null, navigator.languages),
  "late",
);
drawPage();
