// The outbox of an app: the requests that wait on this device to be sent, in order.
//   outbox.start(userId, { arrive: { sendsForMs, send } });
//   const job = await outbox.send("arrive", jobId, body);
import { NoAnswer } from "../api/errors";
import { session } from "../api/session.svelte";
import { socket } from "../api/socket.svelte";
import { now } from "../text/clock.svelte";
import { Queue, type Entry, type Kind } from "./outbox";
import { forgetOutbox, store } from "./store";

/** The person who is signed in, or was when this app was last open. */
const LAST = `roadcall-outbox-user-${import.meta.env.BASE_URL}`;
/** Where a tab tells the others the id of an entry that was dropped in it. */
const TABS = `roadcall-outbox-${import.meta.env.BASE_URL}`;

class Outbox {
  entries: readonly Entry[] = $state.raw([]);
  /** Whether an entry was sent without getting an answer, and will be sent again automatically. */
  isWaiting = $state(false);

  #queue: Queue | null = null;
  #user: string | null = null;
  #endings: (() => void)[] = [];

  /** Sends the entries that an earlier page left, and all new ones. */
  start(user: string, kinds: Readonly<Record<string, Kind>>): void {
    if (this.#user === user) return;
    this.stop();
    this.#user = user;
    try {
      localStorage.setItem(LAST, user);
    } catch {
      // If storage is full or forbidden, nothing can be sent later without a network.
    }
    const tabs = new BroadcastChannel(TABS);
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
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
      later: (name, ms, then) => {
        clearTimeout(timers.get(name));
        timers.set(name, setTimeout(then, ms));
      },
      dropped: (id) => tabs.postMessage(id),
      now: () => Date.now(),
    });
    tabs.onmessage = ({ data }: MessageEvent<string>) => void queue.droppedElsewhere(data);
    const wake = () => void queue.run();
    this.#queue = queue;
    addEventListener("online", wake);
    this.#endings = [
      socket.onOpen(wake),
      () => {
        for (const timer of timers.values()) clearTimeout(timer);
        tabs.close();
        removeEventListener("online", wake);
      },
    ];
    void queue.resume(user);
  }

  /** Starts for the last person on this device: without a network nobody can tell who it is. */
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

  /**
   * Works like `Queue.send`. `id` is one that was stored before a reload; `isTried`: the same was sent before under
   * another id, with an unknown outcome.
   */
  send<T>(
    kind: string,
    about: string,
    body: unknown,
    { file, id = crypto.randomUUID(), isTried = false }: { file?: Blob; id?: string; isTried?: boolean } = {},
  ): Promise<T> {
    if (this.#queue === null || this.#user === null) return Promise.reject(new Error("the outbox is closed"));
    const wanted = { id, user: this.#user, kind, about, body, isTried, ...(file ? { file } : {}) };
    return this.#queue.send(wanted) as Promise<T>;
  }

  /** Reports whether an entry is sent automatically. Its readers are redrawn once the entry is too old for that. */
  isDue = (entry: Entry): boolean => now() > 0 && (this.#queue?.isDue(entry) ?? false);
  again = (id: string): void => void this.#queue?.again(id);
  /** Drops an entry, even one of an earlier page that is not loaded yet. */
  drop = (id: string): void => void (this.#queue ? this.#queue.drop(id) : store.delete(id).catch(() => {}));

  /** Deletes everything from the device. */
  forget(): void {
    this.stop();
    localStorage.removeItem(LAST);
    void forgetOutbox();
  }
}

export const outbox = new Outbox();
