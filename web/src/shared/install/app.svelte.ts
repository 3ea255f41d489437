// The app as it is installed: its service worker, newer versions, installing it, and whether there is a network.
//   app.start();   // in main.ts; does nothing while developing
//   <Banners />    // at the app's root: no connection, new version
//   <Install />    // where the person may install it
interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: "accepted" | "dismissed" }>;
}

/** A page that stays open looks for a newer version so often. */
const LOOK_EVERY_MS = 60 * 60 * 1000;

class App {
  isOnline = $state(navigator.onLine);
  /** A newer version waits to take over, or has taken over and this page is still of the old one. */
  hasUpdate = $state(false);
  /** The browser offers to install it. */
  canInstall = $state(false);
  readonly isInstalled =
    matchMedia("(display-mode: standalone)").matches || ("standalone" in navigator && navigator.standalone === true);
  /** There the person installs it by hand. */
  readonly isIos =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

  #waiting: ServiceWorker | null = null;
  /** The person asked for the update on this page. */
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

  /** Registers the service worker of the app that this page is of. */
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
      // The files of this page may be gone with the old version, unless the first one just took over.
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

  /** Begins anew with the newer version. */
  update(): void {
    this.#isAsked = true;
    // Another tab may have let it take over.
    if (this.#waiting?.state === "installed") this.#waiting.postMessage("take over");
    else location.reload();
  }

  async install(): Promise<void> {
    const prompt = this.#prompt;
    if (!prompt) return;
    // It may be shown once.
    this.#prompt = null;
    this.canInstall = false;
    await prompt.prompt();
  }
}

/** Something would be lost by a reload: what is typed, a call, what an open dialog is about, or what is being sent. */
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

/** The worker keeps the fonts of the chosen language as well; they were loaded before it could see that. */
async function keepFonts(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  await document.fonts.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage({ keep: loaded.filter((name) => name.endsWith(".woff2")) });
}
