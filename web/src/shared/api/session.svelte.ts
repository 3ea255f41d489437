// Who is signed in. The access token is in memory only; the refresh token is in a cookie that no script can read.
import { NoAnswer, Refusal, refusalOf } from "./errors";
import type { components } from "./schema";

export type AppName = "customer" | "mechanic" | "console";

/** What every way to sign in answers with. */
export type SignedIn = Pick<components["schemas"]["SignedIn"], "accessToken" | "userId" | "role" | "expiresIn">;

/** `unreachable`: there may be a session, but the service could not be asked. */
export type SessionState = "unknown" | "signed_in" | "signed_out" | "unreachable";

/** Where the interface is. */
export const API = "/api/v1";

/** A token is exchanged this long before it expires. */
const EARLY_MS = 30_000;
const REFRESH_LIMIT_MS = 20_000;

class Session {
  state = $state<SessionState>("unknown");
  userId = $state<string | null>(null);
  role = $state<SignedIn["role"] | null>(null);
  /** Why the session ended, if the service said so. */
  ended = $state<Refusal | null>(null);

  #app: AppName = "customer";
  #token: string | null = null;
  #expiresAt = 0;
  #refreshing: Promise<void> | null = null;
  #tabs: BroadcastChannel | null = null;

  /** The header that keeps the session of this app in a cookie of its own. */
  get header(): { "X-Session": string } {
    return { "X-Session": `cookie/${this.#app}` };
  }

  /** Finds out whether this browser has a session. Call once, before anything else. */
  async start(app: AppName): Promise<void> {
    this.#app = app;
    this.#tabs = new BroadcastChannel(`roadcall-session-${app}`);
    this.#tabs.onmessage = ({ data }: MessageEvent<"signed_in" | "signed_out">) => {
      if (data === "signed_out") this.#forget(null);
      else if (this.state !== "signed_in") void this.resume();
    };
    addEventListener("online", () => {
      if (this.state === "unreachable") void this.resume();
    });
    await this.resume();
  }

  /** Tries the cookie. */
  async resume(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 401)) this.state = "unreachable";
    }
  }

  /** Takes over what a sign-in answered. */
  accept(answer: SignedIn): void {
    this.#keep(answer);
    this.#tabs?.postMessage("signed_in");
  }

  /** A token that is valid for a while. Throws a `Refusal` if the session is over, `NoAnswer` if nobody could say. */
  async token(): Promise<string> {
    if (this.#token === null || Date.now() > this.#expiresAt - EARLY_MS) await this.refresh();
    if (this.#token === null) throw new Refusal(401, "UNAUTHORIZED", "Sign in to continue.");
    return this.#token;
  }

  /** The service refused `token`: the next request gets another one. */
  invalidate(token: string): void {
    if (this.#token === token) this.#token = null;
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#exchange().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #exchange(): Promise<void> {
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(`${API}/auth/refresh`, {
        method: "POST",
        headers: { "content-type": "application/json", ...this.header },
        body: "{}",
        signal: AbortSignal.timeout(REFRESH_LIMIT_MS),
      });
      body = await response.json();
    } catch {
      throw new NoAnswer("The service can't be reached.");
    }
    if (response.ok) {
      this.#keep((body as { data: SignedIn }).data);
      return;
    }
    const refusal = refusalOf(response.status, body, response.headers.get("retry-after"));
    if (refusal.status === 401 || refusal.status === 403) this.#forget(refusal);
    throw refusal;
  }

  async signOut(options: { allDevices?: boolean } = {}): Promise<void> {
    const token = await this.token().catch(() => null);
    if (token !== null) {
      await fetch(`${API}/auth/logout`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...this.header },
        body: JSON.stringify(options.allDevices ? { allDevices: true } : {}),
      });
    }
    this.#forget(null);
    this.#tabs?.postMessage("signed_out");
  }

  /** The session is over, and the service said why. */
  end(reason: Refusal): void {
    this.#forget(reason);
  }

  #keep(answer: SignedIn): void {
    this.#token = answer.accessToken;
    this.#expiresAt = Date.now() + answer.expiresIn * 1000;
    this.userId = answer.userId;
    this.role = answer.role;
    this.ended = null;
    this.state = "signed_in";
  }

  #forget(reason: Refusal | null): void {
    // A first visit is no session that ended.
    this.ended = this.state === "signed_in" ? reason : null;
    this.#token = null;
    this.userId = null;
    this.role = null;
    this.state = "signed_out";
  }
}

export const session = new Session();
