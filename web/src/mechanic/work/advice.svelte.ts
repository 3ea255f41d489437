// The service's advice on where to wait for the next job; the map and the text show the same.
import { answer, api, type Schemas } from "$shared/api/client";
import { Newest } from "$shared/api/newest";
import { socket } from "$shared/api/socket.svelte";
import { now } from "$shared/text/clock.svelte";

class Advice {
  #known = $state.raw<Schemas["WaitingAdvice"] | null>(null);
  readonly #newest = new Newest();
  #isDeclined = $state(false);

  /** Null once the advice has expired, or if the mechanic wants to stay. */
  readonly current = $derived(
    this.#known !== null && !this.#isDeclined && Date.parse(this.#known.until) > now() + socket.clockOffsetMs
      ? this.#known
      : null,
  );

  /** Follows the service's advice until the returned function is called. */
  start(): () => void {
    const ends = [
      socket.on("advice.wait", ({ data }) => this.#know(data as Schemas["WaitingAdvice"])),
      socket.onOpen(
        () =>
          void this.#newest.ask(
            () => answer(api.GET("/mechanics/me/advice")),
            (known) => this.#know(known.advice),
          ),
      ),
    ];
    return () => ends.forEach((end) => end());
  }

  stay(): void {
    this.#isDeclined = true;
  }

  #know(advice: Schemas["WaitingAdvice"] | null): void {
    this.#newest.overtake();
    // The same advice stays declined.
    if (advice?.until !== this.#known?.until) this.#isDeclined = false;
    this.#known = advice;
  }
}

export const advice = new Advice();
