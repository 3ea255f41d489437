// The way ahead of a mechanic while somebody looks at it.
import type { Position } from "geojson";
import { WayFollower, type Ask } from "./way";

export class WayAhead {
  /** Longitude before latitude, from where the mechanic is; empty if no way is known. */
  line: readonly Position[] = $state.raw([]);
  readonly #follower: WayFollower;

  constructor(ask: Ask) {
    this.#follower = new WayFollower(ask, (line) => (this.line = line));
  }

  /** The mechanic is there now; null as soon as they are not on the way. */
  moved(at: { lat: number; lng: number } | null): void {
    this.#follower.moved(at);
  }
}
