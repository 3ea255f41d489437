// Keeps an app's own files so that it starts without a network. Answers of the interface are never kept here.

export {};

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const files = self.__WB_MANIFEST;
/** The apps are on one origin and share its caches, so each app's begin with its path. */
const OWN = `files-${new URL(".", self.location.href).pathname}-`;
/** A new build has other files, and so another cache. */
const CACHE = OWN + version(files.map(({ url, revision }) => url + (revision ?? "")).join());

function version(text: string): string {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) | 0;
  return `${text.length}-${(sum >>> 0).toString(36)}`;
}

self.addEventListener("install", (event) => {
  // What has its content's hash in its name may come from the browser's cache, where the page that installs this has
  // just put much of it.
  const wanted = files.map(
    ({ url, revision }) => new Request(url, { cache: revision === null ? "default" : "reload" }),
  );
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)));
});

self.addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(names.filter((name) => name !== CACHE && name.startsWith(OWN)).map((name) => caches.delete(name))),
    );
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
  const { keep } = (event.data ?? {}) as { keep?: unknown };
  if (Array.isArray(keep)) event.waitUntil(keepToo(keep.map(String)));
});

/** What an open page had loaded before there was a worker, such as the font of the chosen language. */
async function keepToo(urls: string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const own = urls.filter((url) => url.startsWith(`${self.registration.scope}assets/`));
  for (const url of own) if ((await cache.match(url)) === undefined) await cache.add(url).catch(() => {});
}

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
  // A device without room for it shows the page all the same.
  if (response.ok) await cache.put(request, response.clone()).catch(() => {});
  return response;
}

/** What the service pushes. */
interface Pushed {
  id: string;
  type: string;
  title: string;
  body: string;
  data: Record<string, string>;
  /** When what it asks for is over. */
  ends_at?: string | null;
  /** What can be pressed on it, in the person's language. */
  actions?: { action: string; title: string }[];
}

/** These stay on the screen until somebody acts, or they are over. */
const urgent = new Set(["job_offer", "call_incoming"]);
/** A phone in a pocket has to be felt: five long buzzes, which is about as long as phones allow. */
const BUZZ = [1000, 200, 1000, 200, 1000, 200, 1000, 200, 1000];
/** Browsers end a worker that goes on for longer after a push. */
const LONGEST_WATCH_MS = 4 * 60_000;

self.addEventListener("push", (event) => {
  let pushed: Pushed;
  try {
    pushed = event.data?.json() as Pushed;
  } catch {
    return;
  }
  event.waitUntil(show(pushed).then((tag) => closeInTime(pushed, tag)));
});

/** The tag under which it is shown; null if it is not. */
async function show(pushed: Pushed): Promise<string | null> {
  const { id, type, title, body, data } = pushed;
  // Who looks at the app sees it there.
  const isSilent = (await pages()).some(({ focused }) => focused);
  if (isSilent && !mustShow()) return null;
  const picture = (name: string) => new URL(`icons/${name}.png`, self.registration.scope).href;
  const isUrgent = urgent.has(type) && !isSilent;
  // News about one thing takes the place of older news about it.
  const tag = `${type}-${data["call_id"] ?? data["offer_id"] ?? data["job_id"] ?? id}`;
  const loud = isUrgent ? { vibrate: BUZZ, renotify: true, silent: false } : { silent: isSilent };
  // A platform without buttons in notifications ignores them.
  const more = { ...loud, actions: pushed.actions ?? [] };
  await self.registration.showNotification(title, {
    body,
    icon: picture("icon-192"),
    // Phones keep nothing of it but its shape.
    badge: picture("badge-96"),
    tag,
    requireInteraction: isUrgent,
    data: { id, type, data },
    ...more,
  });
  if (!isSilent) return tag;
  await close(tag);
  return null;
}

/** Nobody finds a notification of something that is over. Where the clock is wrong, it goes a little early or late. */
async function closeInTime({ ends_at }: Pushed, tag: string | null): Promise<void> {
  if (tag === null || !ends_at) return;
  const left = Date.parse(ends_at) - Date.now();
  if (!(left <= LONGEST_WATCH_MS)) return;
  await new Promise((later) => setTimeout(later, Math.max(0, left)));
  await close(tag);
}

async function close(tag: string): Promise<void> {
  for (const shown of await self.registration.getNotifications({ tag })) shown.close();
}

/** Safari ends the subscription of an app that shows nothing for some of its pushes. */
function mustShow(): boolean {
  return /AppleWebKit/.test(navigator.userAgent) && !/Chrome\//.test(navigator.userAgent);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const shown = event.notification.data as Shown;
  event.waitUntil(open(event.action === "" ? shown : { ...shown, action: event.action }));
});

interface Shown {
  id: string;
  type: string;
  data: Record<string, string>;
  /** The button that was pressed. */
  action?: string;
}

/** The app's page about it: an open page goes there, else a new one begins there (`install/opened.ts`). */
async function open(notification: Shown): Promise<void> {
  const [page] = await pages();
  if (page) {
    await page.focus();
    page.postMessage({ type: "notification", notification });
    return;
  }
  const url = new URL(self.registration.scope);
  url.searchParams.set("notification", JSON.stringify(notification));
  await self.clients.openWindow(url.href);
}

async function pages(): Promise<readonly WindowClient[]> {
  const all = await self.clients.matchAll({ type: "window" });
  return all.filter(({ url }) => url.startsWith(self.registration.scope));
}
