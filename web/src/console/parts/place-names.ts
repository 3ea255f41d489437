// Names of points: each is requested once, a few at a time, and kept while the app is open.
import type { Place } from "./place";

export interface Named {
  address: string;
  /** The source of the data, which has to be shown with it. */
  attribution: string | null;
}
type Take = (named: Named | null) => void;

/** About a hundred metres: no address needs more, and neighbours share an answer. */
const DECIMALS = 3;
const AT_ONCE = 2;
/** The number of names that are kept. */
const MOST = 500;
/** The pause after a refusal: the service has a limit for each person. */
const REST_MS = 60_000;

export const keyOf = ({ lat, lng }: Place): string => `${lat.toFixed(DECIMALS)},${lng.toFixed(DECIMALS)}`;

export function pointOf(key: string): Place {
  const [lat = 0, lng = 0] = key.split(",").map(Number);
  return { lat, lng };
}

export class PlaceNames {
  readonly #known = new Map<string, Named | null>();
  /** The callers that wait for each point, in the order of their requests. */
  readonly #waiting = new Map<string, Set<Take>>();
  readonly #asked = new Set<string>();
  readonly #ask: (point: Place) => Promise<Named | null>;
  readonly #now: () => number;
  #restsUntil = 0;

  constructor(ask: (point: Place) => Promise<Named | null>, now: () => number = Date.now) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Calls `take` once the name of a point is known, with null if it has none. Returns a function that cancels this. */
  find(key: string, take: Take): () => void {
    const known = this.#known.get(key);
    if (known !== undefined || this.#now() < this.#restsUntil) {
      take(known ?? null);
      return () => {};
    }
    const takers = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, takers.add(take));
    this.#next();
    return () => {
      takers.delete(take);
      if (takers.size === 0 && !this.#asked.has(key)) this.#waiting.delete(key);
    };
  }

  #next(): void {
    for (const key of this.#waiting.keys()) {
      if (this.#asked.size >= AT_ONCE) return;
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      this.#ask(pointOf(key)).then(
        (named) => this.#found(key, named),
        () => this.#refused(key),
      );
    }
  }

  #found(key: string, named: Named | null): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, named);
    this.#tell(key, named);
    this.#next();
  }

  #refused(key: string): void {
    this.#restsUntil = this.#now() + REST_MS;
    this.#tell(key, null);
    // Requests in progress still deliver their answers.
    for (const waiting of [...this.#waiting.keys()]) if (!this.#asked.has(waiting)) this.#tell(waiting, null);
  }

  #tell(key: string, named: Named | null): void {
    this.#asked.delete(key);
    const takers = this.#waiting.get(key);
    this.#waiting.delete(key);
    for (const take of takers ?? []) take(named);
  }
}
