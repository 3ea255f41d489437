// The text in a field for places, and the search results.
import { findPlaces, type FoundPlace } from "./places";
import { query } from "./rules";

interface Point {
  lat: number;
  lng: number;
}

const PAUSE_MS = 300;

export class PlaceSearch {
  text = $state("");
  state: "idle" | "searching" | "found" | "none" | "failed" = $state("idle");
  found: FoundPlace[] = $state.raw([]);
  #asked: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Searches after a pause in typing, if the service finds beginnings of names. */
  type(text: string, near: Point | null, asYouType: boolean): void {
    this.text = text;
    this.close();
    if (asYouType && query(text, true) !== null) this.#timer = setTimeout(() => void this.#ask(near, true), PAUSE_MS);
  }

  /** Searches at once. */
  async go(near: Point | null): Promise<void> {
    this.close();
    await this.#ask(near, false);
  }

  async #ask(near: Point | null, byItself: boolean): Promise<void> {
    const text = query(this.text, byItself);
    if (text === null) return;
    const asked = new AbortController();
    this.#asked = asked;
    this.state = "searching";
    try {
      const found = await findPlaces(text, near, asked.signal);
      if (asked.signal.aborted) return;
      this.found = found;
      this.state = found.length > 0 ? "found" : "none";
    } catch {
      if (!asked.signal.aborted) this.state = "failed";
    }
  }

  /** Clears the results and cancels pending searches. */
  close(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#asked = null;
    this.found = [];
    this.state = "idle";
  }
}
