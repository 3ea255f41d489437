// What the mechanic has done today.
import { answer, api, type Schemas } from "$shared/api/client";
import { socket } from "$shared/api/socket.svelte";

class Today {
  figures = $state.raw<Schemas["MechanicStats"] | null>(null);

  /** Returns what ends it. */
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
    try {
      this.figures = await answer(
        api.GET("/mechanics/me/stats", { params: { query: { from: midnight.toISOString() } } }),
      );
    } catch {
      // What was known stays.
    }
  }
}

export const today = new Today();
