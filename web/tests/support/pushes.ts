// A push service for tests: what the service posts to it is decrypted as a browser would do it (RFC 8291), and passed
// to the worker of a page. A browser without internet access can't subscribe anywhere.
import { createECDH, hkdfSync, createDecipheriv, randomBytes, type ECDH } from "node:crypto";
import { createServer, type Server } from "node:http";
import { listen, stop } from "./listening";
import type { BrowserContext, CDPSession, Page } from "@playwright/test";

export interface Pushed {
  id: string;
  type: string;
  title: string;
  body: string;
  actions: { action: string; title: string }[];
  data: Record<string, string>;
  ends_at: string | null;
}

export class PushService {
  readonly pushed: Pushed[] = [];
  /** Called for each push as it arrives. */
  onPush: (pushed: Pushed) => void = () => {};

  private port = 0;

  private constructor(
    private readonly server: Server,
    private readonly key: ECDH,
    private readonly auth: Buffer,
  ) {}

  static async start(): Promise<PushService> {
    const key = createECDH("prime256v1");
    key.generateKeys();
    const server = createServer();
    const service = new PushService(server, key, randomBytes(16));
    server.on("request", (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        response.writeHead(201).end();
        const pushed = JSON.parse(service.#decrypted(Buffer.concat(parts))) as Pushed;
        service.pushed.push(pushed);
        service.onPush(pushed);
      });
    });
    service.port = await listen(server);
    return service;
  }

  stop(): Promise<void> {
    return stop(this.server);
  }

  /** Makes pages of this context subscribe here. */
  async take(context: BrowserContext, origin: string): Promise<void> {
    await context.grantPermissions(["notifications", "geolocation"], { origin });
    const keys = { p256dh: this.key.getPublicKey("base64url"), auth: this.auth.toString("base64url") };
    const told = { endpoint: `http://127.0.0.1:${this.port}/send/${randomBytes(8).toString("hex")}`, keys };
    await context.addInitScript((json) => {
      const subscription = {
        endpoint: json.endpoint,
        options: { applicationServerKey: null },
        toJSON: () => json,
        unsubscribe: () => Promise.resolve(true),
      } as unknown as PushSubscription;
      const isOn = "a test's subscription";
      PushManager.prototype.subscribe = () => {
        localStorage.setItem(isOn, "yes");
        return Promise.resolve(subscription);
      };
      PushManager.prototype.getSubscription = () =>
        Promise.resolve(localStorage.getItem(isOn) === null ? null : subscription);
    }, told);
  }

  #decrypted(body: Buffer): string {
    const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + body.readUInt8(20))];
    const sealed = body.subarray(21 + sender.length);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.key.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync("sha256", this.key.computeSecret(sender), this.auth, info, 32));
    const part = (name: string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${name}\0`, length));
    const opened = createDecipheriv("aes-128-gcm", part("aes128gcm", 16), part("nonce", 12));
    opened.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  }
}

/** Passes pushes to the worker of the app at this path, which a page of its origin has installed. */
export async function workerOf(
  context: BrowserContext,
  page: Page,
  origin: string,
  path: string,
): Promise<(pushed: Pushed) => Promise<void>> {
  const debug: CDPSession = await context.newCDPSession(page);
  const registered = new Promise<string>((found) => {
    debug.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      for (const { registrationId, scopeURL, isDeleted } of registrations)
        if (!isDeleted && scopeURL === `${origin}${path}`) found(registrationId);
    });
  });
  await debug.send("ServiceWorker.enable");
  const registrationId = await registered;
  return async (pushed) => {
    await debug.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(pushed) });
  };
}

/** Returns the notifications that the app at this path currently shows, as a page of its origin sees them. */
export function notificationsOf(page: Page, path: string): Promise<{ tag: string; requireInteraction: boolean }[]> {
  return page.evaluate(async (scope) => {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ tag, requireInteraction }) => ({ tag, requireInteraction }));
  }, path);
}
