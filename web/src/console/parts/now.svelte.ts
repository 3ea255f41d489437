// The service's clock, by the second.
import { socket } from "$shared/api/socket.svelte";

class Now {
  /** The time in milliseconds. */
  value = $state(Date.now());

  constructor() {
    setInterval(() => {
      if (document.visibilityState === "visible") this.value = Date.now() + socket.clockOffsetMs;
    }, 1000);
  }
}

export const now = new Now();
