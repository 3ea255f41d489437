// The names of organisations, by their ids. Each is asked for when it is first shown.
import { shortId } from "../../parts/words";
import { titleOf } from "../../shell/search";

class OrganisationNames {
  #known: ReadonlyMap<string, string> = $state.raw(new Map());
  readonly #asked = new Set<string>();

  /** Returns the name, or a part of the id until it is known. */
  of(id: string): string {
    if (!this.#asked.has(id)) {
      this.#asked.add(id);
      void titleOf("organisation", id).then((name) => (this.#known = new Map(this.#known).set(id, name)));
    }
    return this.#known.get(id) ?? shortId(id);
  }
}

export const organisationNames = new OrganisationNames();
