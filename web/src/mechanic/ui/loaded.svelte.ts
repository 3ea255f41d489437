// What a page loads: loading, there, stale, or refused.
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  error = $state.raw<unknown>(null);
  isLoading = $state(true);

  #load: () => Promise<T>;
  #turn = 0;

  constructor(load: () => Promise<T>) {
    this.#load = load;
    void this.again();
  }

  /** Loads it again; what was there stays until then. */
  again = async (): Promise<void> => {
    const turn = (this.#turn += 1);
    this.isLoading = true;
    try {
      const value = await this.#load();
      if (turn !== this.#turn) return;
      this.value = value;
      this.error = null;
    } catch (error) {
      if (turn === this.#turn) this.error = error;
    } finally {
      if (turn === this.#turn) this.isLoading = false;
    }
  };
}

/** A list in pages, newest first, that grows as the person asks for more. */
export class Pages<T extends object> {
  items = $state.raw<T[]>([]);
  error = $state.raw<unknown>(null);
  isLoading = $state(true);
  hasMore = $state(false);

  #load: (page: number) => Promise<{ data: T[]; total: number; page: number; limit: number }>;
  #key: (item: T) => string;
  #page = 0;

  constructor(
    load: (page: number) => Promise<{ data: T[]; total: number; page: number; limit: number }>,
    key: (item: T) => string,
  ) {
    this.#load = load;
    this.#key = key;
    void this.more();
  }

  more = async (): Promise<void> => {
    this.isLoading = true;
    try {
      const { data, total, page, limit } = await this.#load(this.#page + 1);
      // New ones push the others back: what is there already is not shown twice.
      const known = new Set(this.items.map(this.#key));
      this.items = [...this.items, ...data.filter((item) => !known.has(this.#key(item)))];
      this.#page = page;
      this.hasMore = page * limit < total;
      this.error = null;
    } catch (error) {
      this.error = error;
    } finally {
      this.isLoading = false;
    }
  };

  again = async (): Promise<void> => {
    this.#page = 0;
    this.items = [];
    await this.more();
  };
}
