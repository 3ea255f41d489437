// The place where the mechanic waits with the phone in their pocket, as the service assumes it.
import { answer, api, type Schemas } from "$shared/api/client";
import { Newest } from "$shared/api/newest";
import { socket } from "$shared/api/socket.svelte";
import { consent } from "$shared/privacy/consent.svelte";
import { current as job } from "../job/current.svelte";
import { mechanic } from "../me.svelte";

/** Notifications after which they no longer wait anywhere. */
const ENDS: readonly Schemas["Notification"]["type"][] = ["parking_over", "parking_left", "parking_unanswered"];

class Parking {
  #known = $state.raw<Schemas["ParkedAt"] | null>(null);
  readonly #newest = new Newest();

  /** Null if they wait nowhere, as mechanics who are offline or on a job. */
  readonly current = $derived(mechanic.isAvailable && !job.isUnderWay ? this.#known : null);

  /** Follows the service's state until the returned function is called. */
  start(): () => void {
    const ends = [
      socket.onOpen(() => void this.#load()),
      socket.on("notification.created", ({ data }) => {
        if (ENDS.includes(data.type)) void this.#load().then(() => mechanic.load());
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  async waitAt(place: { lat: number; lng: number }, label: string): Promise<void> {
    const body = { lat: place.lat, lng: place.lng, ...(label === "" ? {} : { label }) };
    const { parked } = await consent.first(() => answer(api.PUT("/mechanics/me/parked", { body })));
    // The request made them available; the page has to reflect that too.
    if (!mechanic.isAvailable) await mechanic.setAvailable(true, null);
    this.#know(parked);
  }

  async end(): Promise<void> {
    await answer(api.DELETE("/mechanics/me/parked"));
    this.#know(null);
  }

  async #load(): Promise<void> {
    if (!mechanic.isVerified) return;
    // If it fails, the next connection asks again.
    await this.#newest.ask(
      () => answer(api.GET("/mechanics/me/parked")),
      ({ parked }) => this.#know(parked),
    );
  }

  #know(parked: Schemas["ParkedAt"] | null): void {
    this.#newest.overtake();
    this.#known = parked;
  }
}

export const parking = new Parking();
