/**
 * The service worker: the panel can be installed, and opened without a network. Pages and static
 * files come from the server if it answers, otherwise from the cache. The table's socket doesn't
 * pass through here, and API responses are never cached.
 */
const KEPT = "panel-2";

/** The panel's path, `/` unless the server has a prefix. */
const root = new URL("./", location.href).pathname;

/** The page that replaces one that isn't cached, and its files. */
const OFFLINE = `${root}offline`;
const WORN = ["icon.svg", "css/tokens.css", "css/base.css", "css/offline.css"];

/** Maps a table's path to `t/`: all tables share one page, which gets its code from the address. */
const page = (/** @type {string} */ path) => (/^t\/[^/]+$/.test(path) ? "t/" : path);

/** Returns a request's cache key, or null if its response must not be cached. @param {Request} request */
function keptAs(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(root))
    return null;
  const path = pathname.slice(root.length);
  const shell = path === "" || path.startsWith("static/") || path === "manifest.webmanifest";
  return shell || page(path) === "t/" ? root + page(path) : null;
}

/**
 * Fetches from the network and caches the response; without a network, returns the cached one.
 * @param {Request} request
 * @param {string | null} key cache key; null: don't cache
 */
async function fresh(request, key) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    // If the device's storage is full, go on without caching.
    if (key && answer.ok) await kept.put(key, answer.clone()).catch(() => null);
    return answer;
  } catch (lost) {
    const cachedOrMissing = (key && (await kept.match(key))) || (await missing(kept, request));
    if (cachedOrMissing) return cachedOrMissing;
    throw lost;
  }
}

/**
 * Returns the offline page if a page was requested. Its links become absolute, since the request may
 * have a path of any depth.
 * @param {Cache} kept @param {Request} request
 */
async function missing(kept, { mode }) {
  const page = mode === "navigate" ? await kept.match(OFFLINE) : null;
  const html = (await page?.text())?.replaceAll('"static/', `"${root}static/`);
  return html && new Response(html, { headers: { "Content-Type": "text/html" } });
}

/** Caches the offline page and its files, and activates this worker without waiting for the old one. */
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

/** A click on a notification focuses the window of its table. */
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
