// The installed app: its service worker, newer versions, the installation, and whether there is a network.
//   app.start();   // in main.ts; does nothing during development
//   <Banners />    // at the app's root: no connection, new version
//   <Install />    // where the person may install it
interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: "accepted" | "dismissed" }>;
}

/** How often an open page looks for a newer version. */
const LOOK_EVERY_MS = 60 * 60 * 1000;

class App {
  isOnline = $state(navigator.onLine);
  /** Whether a newer version waits to take over, or has taken over while this page is still the old one. */
  hasUpdate = $state(false);
  /** Whether the browser offers to install it. */
  canInstall = $state(false);
  readonly isInstalled =
    matchMedia("(display-mode: standalone)").matches || ("standalone" in navigator && navigator.standalone === true);
  /** Whether the person has to install it by hand, as on iOS. */
  readonly isIos =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

  #waiting: ServiceWorker | null = null;
  /** Whether the person requested the update on this page. */
  #isAsked = false;
  #prompt: InstallPrompt | null = null;

  constructor() {
    addEventListener("online", () => (this.isOnline = true));
    addEventListener("offline", () => (this.isOnline = false));
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.#prompt = event as InstallPrompt;
      this.canInstall = true;
    });
    addEventListener("appinstalled", () => (this.canInstall = false));
  }

  /** Registers the service worker of this page's app. */
  start(): void {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    const base = import.meta.env.BASE_URL;
    navigator.serviceWorker.register(`${base}service-worker.js`, { scope: base }).then(
      (registration) => {
        this.#watch(registration);
        void keepFonts();
      },
      // The app works without it, as long as there is a network.
      () => {},
    );
  }

  #watch(registration: ServiceWorkerRegistration): void {
    let isFirst = navigator.serviceWorker.controller === null;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      // The old version's files may be gone, unless this is the first worker.
      if (!isFirst) {
        if (this.#isAsked || !isInUse()) location.reload();
        else this.hasUpdate = true;
      }
      isFirst = false;
    });
    const found = (worker: ServiceWorker | null) => {
      // The first one replaces nothing.
      if (!worker || !navigator.serviceWorker.controller) return;
      this.#waiting = worker;
      this.hasUpdate = true;
    };
    found(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => worker.state === "installed" && found(worker));
    });
    setInterval(() => {
      if (navigator.onLine) registration.update().catch(() => {});
    }, LOOK_EVERY_MS);
  }

  /** Restarts the page with the newer version. */
  update(): void {
    this.#isAsked = true;
    // Another tab may have let it take over.
    if (this.#waiting?.state === "installed") this.#waiting.postMessage("take over");
    else location.reload();
  }

  async install(): Promise<void> {
    const prompt = this.#prompt;
    if (!prompt) return;
    // It may be shown only once.
    this.#prompt = null;
    this.canInstall = false;
    await prompt.prompt();
  }
}

/** Reports whether a reload would lose something: typed text, a call, an open dialog, or data being sent. */
function isInUse(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=radio], [type=checkbox]), textarea",
  );
  return (
    [...fields].some(({ value, defaultValue }) => value !== defaultValue) ||
    document.querySelector("dialog[open], audio, button[aria-busy=true], progress") !== null
  );
}

export const app = new App();

/** Makes the worker store the fonts of the chosen language, which were loaded before it could see them. */
async function keepFonts(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  await document.fonts.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage({ keep: loaded.filter((name) => name.endsWith(".woff2")) });
}
