// The outbox of an app: what waits on this device to be sent, in order.
//   outbox.start(userId, { arrive: { sendsForMs, send } });
//   const job = await outbox.send("arrive", jobId, body);
import { NoAnswer } from "../api/errors";
import { session } from "../api/session.svelte";
import { socket } from "../api/socket.svelte";
import { Queue, type Entry, type Kind } from "./outbox";
import { forgetOutbox, store } from "./store";

/** Who is signed in, or was when this app was last open. */
const LAST = `roadcall-outbox-user-${import.meta.env.BASE_URL}`;

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
    try {
      localStorage.setItem(LAST, user);
    } catch {
      // A full or forbidden storage: without a network nothing can be sent later.
    }
    const queue = new Queue({
      store,
      kinds,
      ready: async () => {
        await session.token();
        if (session.userId !== user) throw new NoAnswer("Somebody else is signed in.");
      },
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

  /** Starts for whoever was here last: without a network nobody says who it is. */
  startForLast(kinds: Readonly<Record<string, Kind>>): void {
    const user = localStorage.getItem(LAST);
    if (user !== null) this.start(user, kinds);
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
    return this.#queue.send(wanted) as Promise<T>;
  }

  isDue = (entry: Entry): boolean => this.#queue?.isDue(entry) ?? false;
  again = (id: string): void => void this.#queue?.again(id);
  /** What an earlier page left is dropped too, though it is not loaded yet. */
  drop = (id: string): void => void (this.#queue ? this.#queue.drop(id) : store.delete(id).catch(() => {}));

  /** Nothing is left on the device. */
  forget(): void {
    this.stop();
    localStorage.removeItem(LAST);
    void forgetOutbox();
  }
}

export const outbox = new Outbox();
