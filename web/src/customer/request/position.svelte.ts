// This device's position, requested until it is accurate enough, or the person has chosen a place.
import { untrack } from "svelte";

export type PositionState = "off" | "asking" | "found" | "denied" | "unavailable";

/** At this accuracy, nobody waits for a better position. */
const GOOD_M = 25;
const LIMIT_MS = 20_000;

/** Six decimals are a tenth of a metre. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

export class DevicePosition {
  state: PositionState = $state("off");
  place: { lat: number; lng: number; accuracyM: number } | null = $state.raw(null);
  #watch: number | null = null;

  start = (): void => {
    this.stop();
    if (!("geolocation" in navigator)) {
      this.state = "unavailable";
      return;
    }
    // An effect that starts it must not start it again with each position.
    this.state = untrack(() => this.place) ? "found" : "asking";
    this.#watch = navigator.geolocation.watchPosition(
      ({ coords }) => {
        this.place = { lat: round(coords.latitude), lng: round(coords.longitude), accuracyM: coords.accuracy };
        this.state = "found";
        if (coords.accuracy <= GOOD_M) this.stop();
      },
      ({ code }) => {
        if (this.place) return;
        this.state = code === 1 ? "denied" : "unavailable";
      },
      { enableHighAccuracy: true, timeout: LIMIT_MS, maximumAge: 10_000 },
    );
  };

  stop = (): void => {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
  };
}
