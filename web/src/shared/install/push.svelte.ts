// Notifications that arrive while the app is closed, by Web Push with the service's own key.
//   push.start();   // once, after session.start; keeps what the person chose up to date
//   <Push />        // explains it and asks, after a click
import { answer, api, type Schemas } from "../api/client";
import { config } from "../api/config";
import { session } from "../api/session.svelte";

/** `unavailable`: this browser or this service can't, or the app has no service worker. */
export type PushState = "unavailable" | "off" | "on" | "denied";

const DEVICE = "roadcall-device";

class Push {
  state: PushState = $state("unavailable");

  start(): void {
    if (!("serviceWorker" in navigator) || !("PushManager" in globalThis) || !("Notification" in globalThis)) return;
    let wasSignedIn = false;
    $effect.root(() => {
      $effect(() => {
        if (session.state === "signed_in") {
          wasSignedIn = true;
          void this.#look();
        } else if (session.state === "signed_out" && wasSignedIn) {
          wasSignedIn = false;
          // The service forgets the device with the session; nothing is left for the next person either.
          void this.#unsubscribe();
        }
      });
    });
  }

  async #look(): Promise<void> {
    const registration = await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL);
    if (!registration || (await key()) === null) return;
    if (Notification.permission === "denied") {
      this.state = "denied";
      return;
    }
    this.state = "off";
    if (Notification.permission !== "granted" || (await registration.pushManager.getSubscription()) === null) return;
    // Again at each start: the service's key or the browser's address for this device may have changed.
    await this.turnOn().catch(() => {});
  }

  /** Asks the person, so only after a click that says why. */
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
    subscription ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint, keys } = subscription.toJSON();
    if (endpoint === undefined) throw new Error("the subscription has no address");
    const body = { token: endpoint, platform: "web", device_id: device(), keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" } };
    await answer(api.POST("/notifications/push-tokens", { body: body as Schemas["NewPushToken"] }));
    this.state = "on";
  }

  async turnOff(): Promise<void> {
    const endpoint = await this.#unsubscribe();
    this.state = "off";
    // A push service that finds nobody says so, and the service forgets the device then too.
    if (endpoint !== null) await answer(api.DELETE("/notifications/push-tokens/{token}", { params: { path: { token: endpoint } } })).catch(() => {});
  }

  async #unsubscribe(): Promise<string | null> {
    const registration = await navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL);
    const subscription = (await registration?.pushManager.getSubscription()) ?? null;
    await subscription?.unsubscribe().catch(() => {});
    return subscription?.endpoint ?? null;
  }
}

/** The service's public key, or null if it does not push to browsers. */
async function key(): Promise<string | null> {
  try {
    return (await config()).push.vapid_public_key;
  } catch {
    return null;
  }
}

/** This installation's own name; it says nothing about the device or the person. */
function device(): string {
  const kept = localStorage.getItem(DEVICE) ?? crypto.randomUUID();
  localStorage.setItem(DEVICE, kept);
  return kept;
}

function encoded(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export const push = new Push();
