// A list of the interface in pages, kept fresh while it is shown.
import { poll } from "./poll";

interface PageOf<T> {
  data: T[];
  page: number;
  limit: number;
  total: number;
}

/** `const queue = new Listing((page) => answer(api.GET("/admin/…", { params: { query: { page, status } } })))` */
export class Listing<T> {
  rows: T[] = $state.raw([]);
  total = $state(0);
  page = $state(1);
  limit = $state(20);
  isLoading = $state(true);
  error: unknown = $state(null);
  readonly pages = $derived(Math.max(1, Math.ceil(this.total / this.limit)));

  #request: (page: number) => Promise<PageOf<T>>;
  #turn = 0;

  constructor(request: (page: number) => Promise<PageOf<T>>) {
    this.#request = request;
  }

  /** Loads a page; an answer that was overtaken by a later request is dropped. */
  load = async (page = this.page): Promise<void> => {
    const turn = (this.#turn += 1);
    this.isLoading = true;
    try {
      const body = await this.#request(page);
      if (turn !== this.#turn) return;
      this.rows = body.data;
      this.total = body.total;
      this.page = body.page;
      this.limit = body.limit;
      this.error = null;
    } catch (error) {
      if (turn === this.#turn) this.error = error;
    } finally {
      if (turn === this.#turn) this.isLoading = false;
    }
  };

  /** Keeps it fresh; returns what ends that. */
  keep(everyMs = 15_000): () => void {
    return poll(() => this.load(), everyMs);
  }
}
