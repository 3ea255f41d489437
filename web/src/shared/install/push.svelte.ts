// Notifications that arrive while the app is closed, by Web Push with the service's own key.
//   push.start();   // once, after session.start; keeps the person's choice up to date
//   <Push />        // explains it and asks, after a click
//   <Push asks />   // where a page promises them: until they are on, or the person says "not now"
import { answer, api, type Schemas } from "../api/client";
import { config } from "../api/config";
import { Refusal } from "../api/errors";
import { session } from "../api/session.svelte";
import { asksAgain } from "./asking";

/** `unavailable`: not supported by this browser or this service, or the app has no service worker. */
export type PushState = "unavailable" | "off" | "on" | "denied";

/**
 * The name of this device. Each app has its own subscription, and a device has one: with a common name, the app that is
 * opened last would end the other's.
 */
const DEVICE = `roadcall-device-${import.meta.env.BASE_URL}`;
const LATER = `roadcall-push-later-${import.meta.env.BASE_URL}`;

class Push {
  state: PushState = $state("unavailable");

  /** The id of this device at the service. */
  #id: string | null = null;
  #saidLaterAt: string | null = $state(localStorage.getItem(LATER));

  /** Whether a page that promises notifications asks to allow them. */
  get asks(): boolean {
    return this.state === "off" && asksAgain(this.#saidLaterAt, Date.now());
  }

  /** Notes that the person does not want to be asked now. */
  later(): void {
    this.#saidLaterAt = new Date().toISOString();
    localStorage.setItem(LATER, this.#saidLaterAt);
  }

  start(): void {
    if (!("serviceWorker" in navigator) || !("PushManager" in globalThis) || !("Notification" in globalThis)) return;
    let wasSignedIn = false;
    // People also allow and block notifications in the browser's settings.
    navigator.permissions?.query({ name: "notifications" }).then(
      (permission) => (permission.onchange = () => session.state === "signed_in" && void this.#look()),
      () => {},
    );
    $effect.root(() => {
      $effect(() => {
        if (session.state === "signed_in") {
          wasSignedIn = true;
          void this.#look();
        } else if (session.state === "signed_out" && wasSignedIn) {
          wasSignedIn = false;
          // The service forgets the device with the session; nothing remains for the next person.
          void this.#unsubscribe();
        }
      });
    });
  }

  async #look(): Promise<void> {
    const registration = await navigator.serviceWorker.ready;
    if ((await key()) === null || session.state !== "signed_in") return;
    if (Notification.permission === "denied") {
      this.state = "denied";
      return;
    }
    this.state = "off";
    if (Notification.permission !== "granted" || (await registration.pushManager.getSubscription()) === null) return;
    // Repeated at each start: the service's key or the browser's address for this device may have changed.
    await this.turnOn().catch(() => {});
  }

  /** Prompts the person, so call it only after a click that explains why. */
  async turnOn(): Promise<void> {
    const publicKey = await key();
    if (publicKey === null) return;
    const permission = await Notification.requestPermission();
    if (permission !== "granted") {
      this.state = permission === "denied" ? "denied" : "off";
      return;
    }
    const registration = await navigator.serviceWorker.ready;
    let subscription = await registration.pushManager.getSubscription();
    const old = subscription?.options.applicationServerKey;
    if (subscription && old && encoded(old) !== publicKey.replace(/=+$/, "")) {
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    });
    const { endpoint, keys } = subscription.toJSON();
    if (endpoint === undefined) throw new Error("the subscription has no address");
    const body = {
      token: endpoint,
      platform: "web",
      device_id: device(),
      app: session.app,
      keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" },
    };
    ({ id: this.#id } = await answer(
      api.POST("/notifications/push-tokens", { body: body as Schemas["NewPushToken"] }),
    ));
    this.state = "on";
  }

  /** Throws if the service still pushes to this device. */
  async turnOff(): Promise<void> {
    if (this.#id !== null) {
      await answer(api.DELETE("/notifications/push-tokens/{token}", { params: { path: { token: this.#id } } })).catch(
        (error: unknown) => {
          // Newer devices of the person have replaced it.
          if (!(error instanceof Refusal && error.status === 404)) throw error;
        },
      );
    }
    await this.#unsubscribe();
    this.state = "off";
  }

  async #unsubscribe(): Promise<void> {
    this.#id = null;
    const registration = await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL);
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe().catch(() => {});
  }
}

/** Returns the service's public key, or null if it does not push to browsers. */
async function key(): Promise<string | null> {
  try {
    return (await config()).push.vapid_public_key;
  } catch {
    return null;
  }
}

/** Returns the name of this installation. It tells nothing about the device or the person. */
function device(): string {
  const kept = localStorage.getItem(DEVICE) ?? crypto.randomUUID();
  localStorage.setItem(DEVICE, kept);
  return kept;
}

function encoded(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

export const push = new Push();
