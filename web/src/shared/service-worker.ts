// Caches an app's own files so that it starts without a network. API answers are never cached here.

export {};

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const files = self.__WB_MANIFEST;
/** All apps are on one origin and share its caches, so each app's names begin with its path. */
const OWN = `files-${new URL(".", self.location.href).pathname}-`;
/** A new build has different files, and so a different cache. */
const CACHE = OWN + version(files.map(({ url, revision }) => url + (revision ?? "")).join());

function version(text: string): string {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) | 0;
  return `${text.length}-${(sum >>> 0).toString(36)}`;
}

self.addEventListener("install", (event) => {
  // Files with a content hash in their names may come from the browser's cache, where the page that installs this has
  // just put many of them.
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

/** Caches files that an open page loaded before the worker started, such as the font of the chosen language. */
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

/** Returns the page of this build, so that it never requests files of another one. */
async function page(request: Request, scope: URL): Promise<Response> {
  return (await caches.match(new URL("index.html", scope), { cacheName: CACHE })) ?? fetch(request);
}

/** Returns a file. Its name contains its content hash, so a cached copy is always valid. */
async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  // A device without space for it still shows the page.
  if (response.ok) await cache.put(request, response.clone()).catch(() => {});
  return response;
}

/** The payload of a push. */
interface Pushed {
  id: string;
  type: string;
  title: string;
  body: string;
  data: Record<string, string>;
  /** When the subject of the notification ends. */
  ends_at?: string | null;
  /** Its buttons, in the person's language. */
  actions?: { action: string; title: string }[];
}

/** These stay on the screen until somebody reacts, or they have ended. */
const urgent = new Set(["job_offer", "call_incoming"]);
/** Noticeable in a pocket: five long buzzes, which is about as long as phones allow. */
const BUZZ = [1000, 200, 1000, 200, 1000, 200, 1000, 200, 1000];
/** Browsers stop a worker that runs for longer after a push. */
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

/** Returns the tag under which it is shown; null if it is not shown. */
async function show(pushed: Pushed): Promise<string | null> {
  const { id, type, title, body, data } = pushed;
  // People who look at the app see the news there.
  const isSilent = (await pages()).some(({ focused }) => focused);
  if (isSilent && !mustShow()) return null;
  const picture = (name: string) => new URL(`icons/${name}.png`, self.registration.scope).href;
  const isUrgent = urgent.has(type) && !isSilent;
  // News replaces older news about the same subject.
  const tag = `${type}-${data["call_id"] ?? data["offer_id"] ?? data["job_id"] ?? id}`;
  const loud = isUrgent ? { vibrate: BUZZ, renotify: true, silent: false } : { silent: isSilent };
  // A platform without buttons in notifications ignores them.
  const more = { ...loud, actions: pushed.actions ?? [] };
  await self.registration.showNotification(title, {
    body,
    icon: picture("icon-192"),
    // Phones use only its shape.
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

/** Closes a notification once its subject has ended. With a wrong clock it closes a little early or late. */
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

/** Reports whether every push must be shown: Safari ends the subscriptions of apps that ignore some. */
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

/** Opens the app's page for it: in an open page, else in a new one (`install/opened.ts`). */
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
