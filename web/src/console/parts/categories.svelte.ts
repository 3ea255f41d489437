// Service categories by id, loaded when they are first shown.
import { answer, api, type Schemas } from "$shared/api/client";
import { Newest } from "$shared/api/newest";

class Categories {
  all: Schemas["ServiceCategory"][] = $state.raw([]);
  #loading: Promise<void> | null = null;
  readonly #newest = new Newest();

  /** Loads them unless they are loaded; with `again`, after a change, in any case. */
  load(again = false): Promise<void> {
    if (again) this.#loading = null;
    return (this.#loading ??= this.#ask());
  }

  async #ask(): Promise<void> {
    await this.#newest.ask(
      () => answer(api.GET("/service-categories")),
      ({ data }) => (this.all = data),
      (error) => {
        this.#loading = null;
        throw error;
      },
    );
  }

  find(id: string): Schemas["ServiceCategory"] | undefined {
    return this.all.find((category) => category.id === id);
  }

  name(id: string): string {
    return this.find(id)?.name ?? "A removed category";
  }

  /** Returns the name of each category. */
  each(ids: string[]): string[] {
    // Names appear once they are loaded.
    if (this.all.length === 0) void this.load().catch(() => undefined);
    return this.all.length === 0 ? ["…"] : ids.map((id) => this.name(id));
  }

  names(ids: string[]): string {
    return this.each(ids).join(", ");
  }
}

export const categories = new Categories();
