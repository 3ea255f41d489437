// Keeps an app's own files so that it starts without a network. Answers of the interface are never kept here.
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };
export {};

const files = self.__WB_MANIFEST;
/** A new build has other files, and so another cache. */
const CACHE = `files-${files.map(({ url, revision }) => url + (revision ?? "")).join().length}-${hash(files)}`;

function hash(entries: typeof files): string {
  let sum = 0;
  for (const character of entries.map(({ url, revision }) => url + (revision ?? "")).join()) {
    sum = (sum * 31 + character.charCodeAt(0)) | 0;
  }
  return (sum >>> 0).toString(36);
}

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files.map(({ url }) => new Request(url, { cache: "reload" })))));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE && name.startsWith("files-")).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  if (request.mode === "navigate") event.respondWith(page(request, scope));
  else if (url.pathname.includes("/assets/")) event.respondWith(asset(request));
});

/** The page of this build, so that it never asks for files of another one. */
async function page(request: Request, scope: URL): Promise<Response> {
  return (await caches.match(new URL("index.html", scope), { cacheName: CACHE })) ?? fetch(request);
}

/** Files have their content's hash in their names: what is kept is right for ever. */
async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
