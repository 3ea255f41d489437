// The mechanic's figures of today.
import { answer, api, type Schemas } from "$shared/api/client";
import { Newest } from "$shared/api/newest";
import { socket } from "$shared/api/socket.svelte";

class Today {
  readonly #newest = new Newest();
  figures = $state.raw<Schemas["MechanicStats"] | null>(null);

  /** Returns a function that ends the updates. */
  start(): () => void {
    const ends = [
      socket.onOpen(() => void this.load()),
      socket.on("notification.created", ({ data }) => {
        if (["job_paid", "payment_captured", "rating_received"].includes(data.type)) void this.load();
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  async load(): Promise<void> {
    const midnight = new Date();
    midnight.setHours(0, 0, 0, 0);
    // The known figures stay if it fails.
    await this.#newest.ask(
      () => answer(api.GET("/mechanics/me/stats", { params: { query: { from: midnight.toISOString() } } })),
      (figures) => (this.figures = figures),
    );
  }
}

export const today = new Today();
