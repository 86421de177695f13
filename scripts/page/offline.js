// Keeps the files of the site in this browser, so that it works without a network. VERSION and FILES are filled in by make_page.py.

const VERSION = "";
const FILES = [];

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (event) => event.waitUntil(caches.open(VERSION).then((kept) => kept.addAll(FILES)).then(() => worker.skipWaiting())));

worker.addEventListener("activate", (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("backtrick") && name !== VERSION).map((name) => caches.delete(name))))
    .then(() => worker.clients.claim()),
));

worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept || fetch(event.request)));
});
