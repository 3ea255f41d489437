// The notifications of the signed-in person, and the number of unread ones:
//   notifications.start();   // once, in main.ts        notifications.unread   // for a badge
import { answer, api, type Schemas } from "../api/client";
import { Newest } from "../api/newest";
import { session } from "../api/session.svelte";
import { socket } from "../api/socket.svelte";

export type Notification = Schemas["Notification"];

const PAGE = 30;

class Notifications {
  unread = $state(0);
  items: Notification[] = $state.raw([]);
  isLoaded = $state(false);
  hasMore = $state(false);
  isLoading = $state(false);
  error: unknown = $state.raw(null);

  #page = 0;
  readonly #newest = new Newest();

  start(): void {
    socket.on("notification.created", ({ data }) => {
      if (this.items.some(({ id }) => id === data.id)) return;
      this.items = [data, ...this.items];
      this.unread += 1;
    });
    // Notifications that arrived while the socket was disconnected are not repeated.
    socket.onOpen(() => {
      void this.count();
      if (this.isLoaded) void this.load();
    });
    $effect.root(() => {
      $effect(() => {
        if (session.state === "signed_out") this.#forget();
      });
    });
  }

  async count(): Promise<void> {
    try {
      this.unread = (await answer(api.GET("/notifications/unread-count"))).unread_count;
    } catch {
      // The badge stays as it was until the next time.
    }
  }

  /** Loads the newest ones. */
  load(): Promise<void> {
    return this.#ask(1);
  }

  async more(): Promise<void> {
    if (!this.isLoading) await this.#ask(this.#page + 1);
  }

  async #ask(page: number): Promise<void> {
    this.isLoading = true;
    const before = new Set(page === 1 ? this.items.map(({ id }) => id) : []);
    const counts = await this.#newest.ask(
      () => answer(api.GET("/notifications", { params: { query: { page, limit: PAGE } } })),
      ({ data, total }) => {
        // Notifications that arrived meanwhile have shifted the others to the next page.
        const known = this.items.filter(({ id }) => !before.has(id));
        this.items = [...known, ...data.filter(({ id }) => !known.some((one) => one.id === id))];
        this.hasMore = page * PAGE < total;
        this.#page = page;
        this.isLoaded = true;
        this.error = null;
      },
      (error) => (this.error = error),
    );
    if (counts) this.isLoading = false;
  }

  /** Updates the screen at once; if the request fails, the service learns of it the next time. */
  markRead(id: string): void {
    if (!this.items.some((one) => one.id === id && !one.is_read)) return;
    this.items = this.items.map((one) => (one.id === id ? { ...one, is_read: true } : one));
    this.unread = Math.max(0, this.unread - 1);
    answer(api.POST("/notifications/{id}/read", { params: { path: { id } } })).catch(() => {});
  }

  /** Marks those as read that arrived while this page was open and contain `id` in their data. */
  markReadAbout(name: string, id: string): void {
    for (const one of this.items) if (one.data[name] === id) this.markRead(one.id);
  }

  async markAllRead(): Promise<void> {
    const { unread_count } = await answer(api.POST("/notifications/read-all"));
    this.items = this.items.map((one) => ({ ...one, is_read: true }));
    this.unread = unread_count;
  }

  #forget(): void {
    this.#newest.overtake();
    this.isLoading = false;
    this.items = [];
    this.unread = 0;
    this.isLoaded = false;
    this.hasMore = false;
    this.error = null;
    this.#page = 0;
  }
}

export const notifications = new Notifications();
