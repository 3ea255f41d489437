// A mechanic's route ahead while somebody looks at it.
import type { Position } from "geojson";
import { WayFollower, type Ask } from "./way";

export class WayAhead {
  /** Longitude before latitude, starting at the mechanic; empty if no route is known. */
  line: readonly Position[] = $state.raw([]);
  readonly #follower: WayFollower;

  constructor(ask: Ask) {
    this.#follower = new WayFollower(ask, (line) => (this.line = line));
  }

  /** Takes the mechanic's current position; null once they are not on the way. */
  moved(at: { lat: number; lng: number } | null): void {
    this.#follower.moved(at);
  }
}
