// The signed-in person. The access token is only in memory; the refresh token is in a cookie that no script can read.
import { NoAnswer, Refusal, refusalOf } from "./errors";
import type { components } from "./schema";

export type AppName = "customer" | "mechanic" | "console" | "partners";

/** The answer of every way to sign in. */
export type SignedIn = Pick<components["schemas"]["SignedIn"], "accessToken" | "userId" | "role" | "expiresIn">;

/** `unreachable`: there may be a session, but the service could not be reached or did not tell. */
export type SessionState = "unknown" | "signed_in" | "signed_out" | "unreachable";

/** The base path of the API. */
export const API = "/api/v1";

/** A token is exchanged this long before it expires. */
const EARLY_MS = 30_000;
const LIMIT_MS = 20_000;
/** How often a visible page asks an unreachable service again. */
const AGAIN_MS = 5_000;
/** Where the tabs of a browser store the refresh that has no answer yet. */
const ATTEMPT = "roadcall-attempt";
/** The work before a sign-out must not delay it for longer than this. */
const BEFORE_SIGN_OUT_MS = 3_000;

class Session {
  state = $state<SessionState>("unknown");
  userId = $state<string | null>(null);
  role = $state<SignedIn["role"] | null>(null);
  /** Why the session ended, if the service gave a reason. */
  ended = $state<Refusal | null>(null);
  /** Why the service did not tell whether there is a session; null if it can't be reached. */
  refused = $state.raw<Refusal | null>(null);
  /** Whether somebody has signed out since this page was opened, here or in another tab. */
  wasLeft = $state(false);

  app: AppName = "customer";
  #token: string | null = null;
  #expiresAt = 0;
  #refreshing: Promise<void> | null = null;
  #tabs: BroadcastChannel | null = null;
  #beforeSignOut: (() => Promise<unknown>)[] = [];
  /** When a busy service wants to be asked again. */
  #askAt = 0;

  /** Returns the header that keeps this app's session in a separate cookie. */
  get header(): { "X-Session": string } {
    return { "X-Session": `cookie/${this.app}` };
  }

  /** Finds out whether this browser has a session. Call once, before anything else. */
  async start(app: AppName): Promise<void> {
    this.app = app;
    this.#tabs = new BroadcastChannel(channel(app));
    this.#tabs.onmessage = ({ data }: MessageEvent<"signed_in" | "signed_out" | SignedIn>) => {
      if (typeof data === "object") {
        // Another tab has refreshed, so this one needn't. If that is another person by now, "signed_in" tells.
        if (this.userId === null || this.userId === data.userId) this.#keep(data);
      } else if (data === "signed_out") this.#leave();
      // Another person may be signed in by now.
      else if (this.state === "signed_in") this.refresh().catch(() => {});
      else void this.resume();
    };
    addEventListener("online", () => {
      if (this.state === "unreachable") void this.resume();
    });
    setInterval(() => {
      if (this.state === "unreachable" && document.visibilityState === "visible" && performance.now() >= this.#askAt)
        void this.resume();
    }, AGAIN_MS);
    await this.resume();
  }

  /** Tries to resume the session of the cookie. */
  async resume(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      // These end the session; signing in then explains the problem.
      if (error instanceof Refusal && (error.status === 401 || error.status === 403)) return;
      this.state = "unreachable";
      this.refused = error instanceof Refusal ? error : null;
      this.#askAt = performance.now() + (error instanceof Refusal ? (error.retryAfterS ?? 0) * 1000 : 0);
    }
  }

  /** Takes over the session of a sign-in's answer. */
  accept(answer: SignedIn): void {
    this.#keep(answer);
    this.#tabs?.postMessage("signed_in");
  }

  /** Tells the open pages of another app that somebody was signed in to it from here. */
  announce(app: AppName): void {
    const tabs = new BroadcastChannel(channel(app));
    tabs.postMessage("signed_in");
    tabs.close();
  }

  /** Returns a token that is valid for a while. Throws a `Refusal` if the session is over, `NoAnswer` if unknown. */
  async token(): Promise<string> {
    if (this.#token === null || Date.now() > this.#expiresAt - EARLY_MS) await this.refresh();
    if (this.#token === null) throw new Refusal(401, "UNAUTHORIZED", "Sign in to continue.");
    return this.#token;
  }

  /** Discards a token that the service refused: the next request gets a new one. */
  invalidate(token: string): void {
    if (this.#token === token) this.#token = null;
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#inTurn().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Refreshes in turn with the other tabs, which share one cookie: it is exchanged once. */
  async #inTurn(): Promise<void> {
    // Only pages that another machine serves over http have no locks.
    if (!("locks" in navigator)) return this.#exchange();
    const before = this.#token;
    let turn: Promise<void> | null = null;
    try {
      await navigator.locks.request(channel(this.app), { signal: AbortSignal.timeout(LIMIT_MS) }, () => {
        const isShared = this.#token !== null && this.#token !== before;
        turn = isShared ? Promise.resolve() : this.#exchange();
        return turn.catch(() => {});
      });
    } catch {
      throw new NoAnswer("The service can't be reached.");
    }
    await turn;
  }

  /**
   * Returns the header that names this refresh. After a lost answer the next tab sends it again and gets the same
   * cookie. Somebody who copied the cookie can't know the name, and is detected by that.
   */
  #attempt(): { "X-Attempt": string } {
    const key = `${ATTEMPT}-${this.app}`;
    let attempt: string | null = null;
    try {
      attempt = localStorage.getItem(key);
      if (attempt === null) localStorage.setItem(key, (attempt = newAttempt()));
    } catch {
      // Without storage, a lost answer signs the person out.
    }
    return { "X-Attempt": attempt ?? newAttempt() };
  }

  #answered(): void {
    try {
      localStorage.removeItem(`${ATTEMPT}-${this.app}`);
    } catch {
      // Then it was not stored either.
    }
  }

  async #exchange(): Promise<void> {
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(`${API}/auth/refresh`, {
        method: "POST",
        headers: { "content-type": "application/json", ...this.header, ...this.#attempt() },
        body: "{}",
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      body = response.status === 204 ? null : await response.json();
      // After a 5xx the exchange may have taken place.
      if (response.status < 500) this.#answered();
    } catch {
      throw new NoAnswer("The service can't be reached.");
    }
    // There is no cookie.
    if (response.status === 204) {
      const nobody = new Refusal(401, "UNAUTHORIZED", "Sign in to continue.");
      this.#forget(nobody);
      throw nobody;
    }
    if (response.ok) {
      const { data } = body as { data: SignedIn };
      // Another tab signed another person in: nothing on this page is theirs, and nothing is requested on their behalf
      // until the page is gone.
      if (this.userId !== null && this.userId !== data.userId) {
        location.reload();
        await new Promise(() => {});
      }
      this.#keep(data);
      this.#tabs?.postMessage(data);
      return;
    }
    const refusal = refusalOf(response.status, body, response.headers.get("retry-after"));
    if (refusal.status === 401 || refusal.status === 403) this.#forget(refusal);
    throw refusal;
  }

  /** Registers work to do before a person signs out here, while there is still a token for it. */
  beforeSignOut(work: () => Promise<unknown>): void {
    this.#beforeSignOut.push(work);
  }

  /** Throws if the service did not end the session: its cookie would sign in the next visitor. */
  async signOut(options: { allDevices?: boolean } = {}): Promise<void> {
    const before = Promise.allSettled(this.#beforeSignOut.map((work) => work()));
    await Promise.race([before, new Promise((resolve) => setTimeout(resolve, BEFORE_SIGN_OUT_MS))]);
    let token: string | null = null;
    try {
      token = await this.token();
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 401)) throw error;
    }
    if (token !== null) {
      const response = await fetch(`${API}/auth/logout`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...this.header },
        body: JSON.stringify(options.allDevices ? { allDevices: true } : {}),
        signal: AbortSignal.timeout(LIMIT_MS),
      }).catch(() => {
        throw new NoAnswer("The service can't be reached.");
      });
      // 401: the session had ended already.
      if (!response.ok && response.status !== 401) {
        throw refusalOf(response.status, await response.json().catch(() => null), response.headers.get("retry-after"));
      }
    }
    this.#leave();
    this.#tabs?.postMessage("signed_out");
  }

  /** Ends the session for a reason that the service gave. */
  end(reason: Refusal): void {
    this.#forget(reason);
  }

  #keep(answer: SignedIn): void {
    this.#token = answer.accessToken;
    this.#expiresAt = Date.now() + answer.expiresIn * 1000;
    this.userId = answer.userId;
    this.role = answer.role;
    this.ended = null;
    this.refused = null;
    this.wasLeft = false;
    this.state = "signed_in";
  }

  #leave(): void {
    this.#forget(null);
    this.wasLeft = true;
  }

  #forget(reason: Refusal | null): void {
    // A first visit is not an ended session, and requests that were pending don't know the reason; a suspended account
    // did have a session.
    if (this.state === "signed_in" || reason?.code === "ACCOUNT_SUSPENDED") this.ended = reason;
    this.#token = null;
    this.userId = null;
    this.role = null;
    this.state = "signed_out";
  }
}

function newAttempt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the channel on which an app's tabs tell each other who is signed in. */
function channel(app: AppName): string {
  return `roadcall-session-${app}`;
}

export const session = new Session();
