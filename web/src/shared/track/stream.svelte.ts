// The events of a shared job, for the guest of its link:
//   const stream = new GuestStream(token);  stream.on("changed", load);  stream.close();
// After every reconnection `changed` is called, since missed events are not repeated.
import type { Schemas } from "../api/client";
import { API } from "../api/session.svelte";

interface Events {
  changed: undefined;
  "call.ringing": Schemas["SharedCall"];
  "call.signal": { call_id: string; payload: unknown };
  ended: undefined;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 20_000;

export class GuestStream {
  /** Whether changes currently arrive by themselves. */
  isOpen = $state(false);

  #source: EventSource | null = null;
  #listeners = new Map<string, Set<(data: never) => void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #isOver = false;
  #abort = new AbortController();

  constructor(private readonly token: string) {
    const { signal } = this.#abort;
    addEventListener("online", () => this.#open(), { signal });
    addEventListener("offline", () => this.#lost(), { signal });
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && !this.isOpen && this.#open(),
      { signal },
    );
    this.#open();
  }

  /** Returns a function that ends this. */
  on<T extends keyof Events>(type: T, listener: (data: Events[T]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  close(): void {
    this.#isOver = true;
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.isOpen = false;
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    if (this.#isOver) return;
    const source = new EventSource(`${API}/shares/${encodeURIComponent(this.token)}/stream`);
    this.#source = source;
    source.onopen = () => {
      this.#tries = 0;
      this.isOpen = true;
      this.#emit("changed", undefined);
    };
    // The browser stops for good after some errors, so this always opens a new one.
    source.onerror = () => this.#source === source && this.#lost();
    source.addEventListener("changed", () => this.#emit("changed", undefined));
    source.addEventListener("ended", () => {
      this.#emit("ended", undefined);
      this.close();
    });
    for (const type of ["call.ringing", "call.signal"] as const) {
      source.addEventListener(type, ({ data }: MessageEvent<string>) =>
        this.#emit(type, JSON.parse(data) as Events[typeof type]),
      );
    }
  }

  #lost(): void {
    this.#source?.close();
    this.#source = null;
    this.isOpen = false;
    clearTimeout(this.#timer);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#tries, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#open(), wait);
  }

  #emit<T extends keyof Events>(type: T, data: Events[T]): void {
    for (const listener of this.#listeners.get(type) ?? []) (listener as (data: Events[T]) => void)(data);
  }
}
