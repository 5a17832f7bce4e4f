/**
 * The service worker. With it, the panel can be installed and opened without a network. Pages and
 * static files come from the server if it answers, otherwise from the cache. The table's WebSocket
 * bypasses the service worker, and API responses are never cached.
 */
const CACHE_NAME = "panel-2";

/** The panel's path, `/` unless the server has a prefix. */
const root = new URL("./", location.href).pathname;

/** The page that replaces a page which can't be loaded. */
const OFFLINE = `${root}offline`;
/** The static files that the offline page needs. */
const OFFLINE_FILES = ["icon.svg", "css/tokens.css", "css/base.css", "css/offline.css"];

/**
 * Maps a table's path to `t/`: all tables share one page, which reads the table's code from the
 * address.
 */
const getPagePath = (/** @type {string} */ path) => (/^t\/[^/]+$/.test(path) ? "t/" : path);

/** Returns a request's cache key, or null if its response must not be cached. @param {Request} request */
function getCacheKey(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(root))
    return null;
  const path = pathname.slice(root.length);
  const shell = path === "" || path.startsWith("static/") || path === "manifest.webmanifest";
  return shell || getPagePath(path) === "t/" ? root + getPagePath(path) : null;
}

/**
 * Fetches from the network and caches the response; without a network, returns the cached one.
 * @param {Request} request
 * @param {string | null} key cache key; null: don't cache
 */
async function fetchAndCache(request, key) {
  const cache = await caches.open(CACHE_NAME);
  try {
    const answer = await fetch(request);
    // An upgraded server no longer has the bundles of pages that were opened before.
    if (answer.status === 404 && key?.startsWith(`${root}static/lean/`))
      return (await cache.match(key)) ?? answer;
    // If the device's storage is full, go on without caching.
    if (key && answer.ok) await cache.put(key, answer.clone()).catch(() => null);
    return answer;
  } catch (error) {
    const fallback = (key && (await cache.match(key))) || (await getOfflinePage(cache, request));
    if (fallback) return fallback;
    throw error;
  }
}

/**
 * Returns the offline page if a page was requested. Its links become absolute, since the request may
 * have a path of any depth.
 * @param {Cache} cache @param {Request} request
 */
async function getOfflinePage(cache, { mode }) {
  const page = mode === "navigate" ? await cache.match(OFFLINE) : null;
  const html = (await page?.text())?.replaceAll('"static/', `"${root}static/`);
  return html && new Response(html, { headers: { "Content-Type": "text/html" } });
}

/** Caches the offline page and its files, and activates this worker without waiting for the old one. */
async function cacheOfflinePage() {
  const cache = await caches.open(CACHE_NAME);
  await cache
    .addAll([OFFLINE, ...OFFLINE_FILES.map((name) => `${root}static/${name}`)])
    .catch(() => null);
  return /** @type {any} */ (globalThis).skipWaiting();
}

/** @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} ExtendableEvent */
/** @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} FetchEvent */

addEventListener("install", (event) =>
  /** @type {ExtendableEvent} */ (event).waitUntil(cacheOfflinePage()),
);
addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((keys) =>
      Promise.all(keys.filter((key) => key !== CACHE_NAME).map((key) => caches.delete(key))),
    );
  /** @type {ExtendableEvent} */ (event).waitUntil(
    old.then(() => /** @type {any} */ (globalThis).clients.claim()),
  );
});
addEventListener("fetch", (event) => {
  const fetchEvent = /** @type {FetchEvent} */ (event);
  const key = getCacheKey(fetchEvent.request);
  if (key || fetchEvent.request.mode === "navigate")
    fetchEvent.respondWith(fetchAndCache(fetchEvent.request, key));
});

/** @typedef {Event & ExtendableEvent & {notification: Notification}} NotificationEvent */

/** A click on a notification focuses the window of its table, or opens one if there is none. */
addEventListener("notificationclick", (event) => {
  const { notification, waitUntil } = /** @type {NotificationEvent} */ (event);
  const { clients } = /** @type {any} */ (globalThis);
  notification.close();
  waitUntil.call(
    event,
    clients
      .matchAll({ type: "window", includeUncontrolled: true })
      .then((/** @type {any[]} */ open) => {
        const page = open.find(({ url }) => new URL(url).pathname === notification.data);
        return page ? page.focus() : clients.openWindow(notification.data);
      }),
  );
});
