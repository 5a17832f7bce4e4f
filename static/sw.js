/**
 * Lets the panel be installed and opened without a network: the page and its files come
 * from the server while it answers, else from what was kept. Nothing that is said at a
 * table passes through here, and no answer of the API is kept.
 */
const KEPT = "panel-2";

/** A proxy may serve the panel under a path of its own. */
const root = new URL("./", location.href).pathname;

/** What stands in for a page that was never kept, and what it wears. */
const OFFLINE = `${root}offline`;
const WORN = ["icon.svg", "css/tokens.css", "css/base.css", "css/offline.css"];

/** All tables share one page; whose table it is stands in the address alone. */
const page = (/** @type {string} */ path) => (/^t\/[^/]+$/.test(path) ? "t/" : path);

/** What may be kept under which name, or null. @param {Request} request */
function keptAs(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(root))
    return null;
  const path = pathname.slice(root.length);
  const shell = path === "" || path.startsWith("static/") || path === "manifest.webmanifest";
  return shell || page(path) === "t/" ? root + page(path) : null;
}

/** @param {Request} request @param {string | null} key under which it may be kept */
async function fresh(request, key) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    // A device that is full keeps nothing, and plays on as long as there is a network.
    if (key && answer.ok) await kept.put(key, answer.clone()).catch(() => null);
    return answer;
  } catch (lost) {
    const cachedOrMissing = (key && (await kept.match(key))) || (await missing(kept, request));
    if (cachedOrMissing) return cachedOrMissing;
    throw lost;
  }
}

/** The page that says what is missing, for an address at any depth. @param {Cache} kept @param {Request} request */
async function missing(kept, { mode }) {
  const page = mode === "navigate" ? await kept.match(OFFLINE) : null;
  const html = (await page?.text())?.replaceAll('"static/', `"${root}static/`);
  return html && new Response(html, { headers: { "Content-Type": "text/html" } });
}

async function ready() {
  const kept = await caches.open(KEPT);
  await kept.addAll([OFFLINE, ...WORN.map((name) => `${root}static/${name}`)]).catch(() => null);
  return /** @type {any} */ (globalThis).skipWaiting();
}

/** @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} Lives */
/** @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} Fetches */

addEventListener("install", (event) => /** @type {Lives} */ (event).waitUntil(ready()));
addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((keys) =>
      Promise.all(keys.filter((key) => key !== KEPT).map((key) => caches.delete(key))),
    );
  /** @type {Lives} */ (event).waitUntil(
    old.then(() => /** @type {any} */ (globalThis).clients.claim()),
  );
});
addEventListener("fetch", (event) => {
  const asked = /** @type {Fetches} */ (event);
  const key = keptAs(asked.request);
  if (key || asked.request.mode === "navigate") asked.respondWith(fresh(asked.request, key));
});

/** @typedef {Event & Lives & {notification: Notification}} Clicked */

/** A turn that was told to somebody who looked elsewhere: back to its table. */
addEventListener("notificationclick", (event) => {
  const { notification, waitUntil } = /** @type {Clicked} */ (event);
  const { clients } = /** @type {any} */ (globalThis);
  notification.close();
  waitUntil.call(
    event,
    clients
      .matchAll({ type: "window" })
      .then((/** @type {any[]} */ open) =>
        open.find(({ url }) => new URL(url).pathname === notification.data)?.focus(),
      ),
  );
});
