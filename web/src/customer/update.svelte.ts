// The service worker: the app starts without a network, and a new build is taken over when the person says so.
class Update {
  waiting: ServiceWorker | null = $state.raw(null);

  apply = (): void => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    this.waiting?.postMessage("take over");
  };
}

export const update = new Update();

export function keepAppUpToDate(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  addEventListener("load", () => void register());
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(`${import.meta.env.BASE_URL}service-worker.js`);
    const look = () => {
      // The first worker has no older one to replace.
      if (registration.waiting && navigator.serviceWorker.controller) update.waiting = registration.waiting;
    };
    look();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  } catch (error) {
    console.warn("the app will need a network to start", error);
  }
}
