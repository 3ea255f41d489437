// Follows a shared job by repeated requests, politely; a stream announces changes.
import { EVERY_MS, look, nothing, type Looked, type Shared, type SharedJob } from "./shared";

const LIMIT_MS = 20_000;

export class SharedFollower {
  shared: Shared = $state.raw(nothing);
  hasStream = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(private readonly address: string) {}

  start(): () => void {
    const again = () => {
      if (!document.hidden && this.shared.state !== "ended" && this.shared.state !== "invalid") this.now();
    };
    addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
    this.now();
    return () => {
      this.#turn += 1;
      clearTimeout(this.#timer);
      removeEventListener("online", again);
      document.removeEventListener("visibilitychange", again);
    };
  }

  /** Requests the job at once. */
  now = (): void => {
    clearTimeout(this.#timer);
    void this.#look((this.#turn += 1));
  };

  async #look(turn: number): Promise<void> {
    let waitMs: number | null = EVERY_MS;
    // A hidden page is seen by nobody.
    if (!document.hidden || this.shared.state === "loading") {
      const looked = await ask(this.address);
      if (turn !== this.#turn) return;
      const { next, waitMs: wait } = look(this.shared, looked, Date.now(), this.hasStream);
      this.shared = next;
      waitMs = wait;
    }
    if (waitMs !== null) this.#timer = setTimeout(() => void this.#look(turn), waitMs);
  }
}

async function ask(address: string): Promise<Looked> {
  try {
    const answer = await fetch(address, {
      headers: { accept: "application/json" },
      cache: "no-store",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    // Refusals are read as well, because an unread answer keeps its connection.
    const body: unknown = await answer.json().catch(() => null);
    const retryAfter = Number(answer.headers.get("retry-after"));
    return {
      status: answer.status,
      retryAfterS: retryAfter > 0 ? retryAfter : null,
      job: answer.ok ? (body as SharedJob | null) : null,
    };
  } catch {
    return null;
  }
}
