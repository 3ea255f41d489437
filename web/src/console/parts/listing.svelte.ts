// A list of the interface in pages, kept fresh while it is shown.
import { Newest } from "$shared/api/newest";
import { poll } from "$shared/poll";

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
  readonly #newest = new Newest();

  constructor(request: (page: number) => Promise<PageOf<T>>) {
    this.#request = request;
  }

  load = async (page = this.page): Promise<void> => {
    this.isLoading = true;
    const counts = await this.#newest.ask(
      () => this.#request(page),
      ({ data: rows, total, page, limit }) => Object.assign(this, { rows, total, page, limit, error: null }),
      (error) => (this.error = error),
    );
    if (counts) this.isLoading = false;
  };

  /** Keeps it fresh; returns a function that ends that. */
  keep(everyMs = 15_000): () => void {
    return poll(() => this.load(), everyMs);
  }
}
