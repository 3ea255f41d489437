// The outbox of an app: what waits on this device to be sent, in order.
//   outbox.start(userId, { arrive: { sendsForMs, send } });
//   const job = await outbox.send("arrive", jobId, body);
import { socket } from "../api/socket.svelte";
import { m } from "$words";
import { Refusal } from "../api/errors";
import { Full, Queue, type Entry, type Kind } from "./outbox";
import { forgetOutbox, store } from "./store";

class Outbox {
  entries: readonly Entry[] = $state.raw([]);
  /** The one that is being sent got no answer, and will be sent again by itself. */
  isWaiting = $state(false);

  #queue: Queue | null = null;
  #user: string | null = null;
  #endings: (() => void)[] = [];

  /** Sends what an earlier page left, and whatever comes. */
  start(user: string, kinds: Readonly<Record<string, Kind>>): void {
    if (this.#user === user) return;
    this.stop();
    this.#user = user;
    const queue = new Queue({
      store,
      kinds,
      changed: (entries, isWaiting) => {
        this.entries = entries;
        this.isWaiting = isWaiting;
      },
      later: (ms) => {
        clearTimeout(timer);
        timer = setTimeout(wake, ms);
      },
      now: () => Date.now(),
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      clearTimeout(timer);
      void queue.run();
    };
    this.#queue = queue;
    addEventListener("online", wake);
    this.#endings = [
      socket.onOpen(wake),
      () => {
        clearTimeout(timer);
        removeEventListener("online", wake);
      },
    ];
    void queue.resume(user);
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#endings = [];
    this.#queue?.end();
    this.#queue = null;
    this.#user = null;
    this.isWaiting = false;
  }

  /** As `Queue.send`. `id` is one that was kept since before a reload. */
  send<T>(
    kind: string,
    about: string,
    body: unknown,
    { file, id = crypto.randomUUID() }: { file?: Blob; id?: string } = {},
  ): Promise<T> {
    if (this.#queue === null || this.#user === null) return Promise.reject(new Error("the outbox is closed"));
    const wanted = { id, user: this.#user, kind, about, body, ...(file ? { file } : {}) };
    return this.#queue.send(wanted).catch((error: unknown) => {
      throw error instanceof Full ? new Refusal(0, "RATE_LIMITED", m.shared_outbox_full()) : error;
    }) as Promise<T>;
  }

  isDue = (entry: Entry): boolean => this.#queue?.isDue(entry) ?? false;
  again = (id: string): void => void this.#queue?.again(id);
  drop = (id: string): void => void this.#queue?.drop(id);

  /** Nothing is left on the device. */
  forget(): void {
    this.stop();
    void forgetOutbox();
  }
}

export const outbox = new Outbox();
