// How many notifications are unread.
import { answer, api } from "$shared/api/client";
import { socket } from "$shared/api/socket.svelte";

class Unread {
  count = $state(0);
  #endings: (() => void)[] = [];

  start(): void {
    if (this.#endings.length > 0) return;
    this.#endings = [
      socket.onOpen(() => void this.load()),
      socket.on("notification.created", ({ data }) => {
        if (!data.is_read) this.count += 1;
      }),
    ];
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#endings = [];
    this.count = 0;
  }

  async load(): Promise<void> {
    try {
      this.count = (await answer(api.GET("/notifications/unread-count"))).unread_count;
    } catch {
      // The next connection asks again.
    }
  }
}

export const unread = new Unread();
