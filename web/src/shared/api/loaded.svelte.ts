// Data that a page requests: `value` once it has arrived, `isLoading` before that, `error` if it failed. The old value
// stays until a newer one arrives.
import { untrack } from "svelte";
import { onVisible } from "../visible";
import { NoAnswer } from "./errors";
import { Newest } from "./newest";

export class Loaded<T> {
  value: T | null = $state.raw(null);
  error: unknown = $state.raw(null);
  isLoading = $state(false);
  readonly #newest = new Newest();

  constructor(private readonly ask: () => Promise<T>) {}

  /** Returns data whose loading starts at once. */
  static now<T>(ask: () => Promise<T>): Loaded<T> {
    const loaded = new Loaded(ask);
    void loaded.load();
    return loaded;
  }

  load = async (): Promise<void> => {
    this.isLoading = true;
    const counts = await this.#newest.ask(
      this.ask,
      (value) => Object.assign(this, { value, error: null }),
      (error) => (this.error = error),
    );
    if (counts) this.isLoading = false;
  };

  /** Resets this as if it had never been loaded. */
  forget = (): void => {
    this.#newest.overtake();
    Object.assign(this, { value: null, error: null, isLoading: false });
  };

  /** Loads now, and again when the network is back or the person returns to the page. For an `$effect`. */
  start = (): (() => void) => {
    untrack(() => void this.load());
    const online = () => {
      if (this.error instanceof NoAnswer) void this.load();
    };
    addEventListener("online", online);
    const end = onVisible(() => void this.load());
    return () => {
      removeEventListener("online", online);
      end();
    };
  };
}

interface PageOf<T> {
  data: T[];
  total: number;
  page: number;
  limit: number;
}

/** A paged list, newest first, that grows as the person asks for more. */
export class Pages<T extends object> {
  items = $state.raw<T[]>([]);
  error = $state.raw<unknown>(null);
  isLoading = $state(true);
  hasMore = $state(false);

  #load: (page: number) => Promise<PageOf<T>>;
  #key: (item: T) => string;
  #page = 0;
  readonly #newest = new Newest();

  constructor(load: (page: number) => Promise<PageOf<T>>, key: (item: T) => string) {
    this.#load = load;
    this.#key = key;
    void this.more();
  }

  more = async (): Promise<void> => {
    this.isLoading = true;
    const counts = await this.#newest.ask(
      () => this.#load(this.#page + 1),
      ({ data, total, page, limit }) => {
        // New items shift the others back: items that are already listed are not shown twice.
        const known = new Set(this.items.map(this.#key));
        this.items = [...this.items, ...data.filter((item) => !known.has(this.#key(item)))];
        this.#page = page;
        this.hasMore = page * limit < total;
        this.error = null;
      },
      (error) => (this.error = error),
    );
    if (counts) this.isLoading = false;
  };

  again = async (): Promise<void> => {
    this.#page = 0;
    this.items = [];
    await this.more();
  };
}
