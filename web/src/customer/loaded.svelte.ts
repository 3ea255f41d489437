// What a page asks the service for: loaded, loading, or why not.
import { untrack } from "svelte";
import { NoAnswer } from "$shared/api/errors";

export class Loaded<T> {
  value: T | null = $state.raw(null);
  error: unknown = $state.raw(null);
  isLoading = $state(false);
  #turn = 0;

  constructor(private readonly ask: () => Promise<T>) {}

  load = async (): Promise<void> => {
    const turn = (this.#turn += 1);
    this.isLoading = true;
    try {
      const value = await this.ask();
      if (turn === this.#turn) Object.assign(this, { value, error: null });
    } catch (error) {
      if (turn === this.#turn) this.error = error;
    } finally {
      if (turn === this.#turn) this.isLoading = false;
    }
  };

  /** Loads now, and again when the network is back or the person returns to the page. For an `$effect`. */
  start = (): (() => void) => {
    untrack(() => void this.load());
    const online = () => {
      if (this.error instanceof NoAnswer) void this.load();
    };
    const returned = () => {
      if (document.visibilityState === "visible") void this.load();
    };
    addEventListener("online", online);
    document.addEventListener("visibilitychange", returned);
    return () => {
      removeEventListener("online", online);
      document.removeEventListener("visibilitychange", returned);
    };
  };
}
