// A person's requests that the service has not confirmed: they are stored on the device and sent, each under its own
// key, one after the other in their original order; only lanes do not wait for each other. Rules without the browser:
// storage, sending and display are passed in.
import { isUncertain, NoAnswer, Refusal } from "../api/errors";

export interface Entry {
  /** Also the idempotency key, so that sending it twice carries it out once. */
  readonly id: string;
  /** The person who made it. */
  readonly user: string;
  readonly kind: string;
  /** The job that it concerns; empty if there is none yet. */
  readonly about: string;
  /** When the person last confirmed that they want it, in milliseconds. */
  readonly at: number;
  readonly body: unknown;
  readonly file?: Blob;
  /** Whether it was sent before, with an unknown outcome. */
  readonly isTried: boolean;
  /** Why the service refused it while no page waited for the outcome. */
  readonly refused?: { readonly status: number; readonly code: Refusal["code"]; readonly message: string };
}

export interface Kind {
  /** Entries of one lane are sent one after the other. Lanes do not wait for each other; most kinds share one. */
  lane?: string;
  /** For how long it is sent automatically. After that the person is asked, since they may no longer want it. */
  sendsForMs: number;
  /** Reports whether the waiting page waits for the next attempt, or is told that the outcome is unknown. */
  isPatient(error: unknown): boolean;
  /** Sends it; `save` stores the progress so far. Returns the service's answer. */
  send(entry: Entry, save: (body: unknown) => Promise<void>, signal: AbortSignal): Promise<unknown>;
}

export interface Store {
  /** Returns the entries in the order of their requests; also deletes those before `since`. */
  load(user: string, since: number): Promise<Entry[]>;
  put(entry: Entry): Promise<void>;
  delete(id: string): Promise<void>;
}

export interface Parts {
  store: Store;
  kinds: Readonly<Record<string, Kind>>;
  /** Resolves while requests can be made for the person; otherwise throws as a request would. */
  ready: () => Promise<void>;
  /** `isWaiting`: the last attempt of a lane got no answer, and another one follows. */
  changed: (entries: readonly Entry[], isWaiting: boolean) => void;
  /** Calls `then` after this time, and cancels the previous timer of the same name. */
  later: (name: string, ms: number, then: () => void) => void;
  /** Tells other tabs, which may have loaded the entry too, that it is no longer wanted. */
  dropped: (id: string) => void;
  now: () => number;
}

/** The maximum number of entries: further ones are refused. */
export const MOST = 30;
/** Older entries are deleted, whatever they are. */
export const LASTS_MS = 24 * 3_600_000;
const FIRST_WAIT_MS = 1_500;
const LONGEST_WAIT_MS = 60_000;

/** The person cancelled it. */
export class Dropped extends Error {
  override name = "Dropped";
}

/** The entry became too old to be sent automatically. It stays, and the person is asked whether they still want it. */
export class Expired extends Dropped {
  override name = "Expired";
}

export class Full extends Error {
  override name = "Full";
}

interface Waiter {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  sending: { id: string; stop: AbortController } | null;
  isRunning: boolean;
  /** Attempts without an answer since the last one with an answer. */
  failures: number;
}

export class Queue {
  #entries: readonly Entry[] = [];
  #waiters = new Map<string, Waiter>();
  #lanes = new Map<string, Lane>();
  #hasEnded = false;
  /** Entries that are no longer wanted but may still be loaded; null once all are loaded. */
  #dropped: Set<string> | null = new Set();

  constructor(private readonly parts: Parts) {}

  /** Loads the entries that an earlier page left, ahead of those requested meanwhile. */
  async resume(user: string): Promise<void> {
    const kept = await this.parts.store.load(user, this.parts.now() - LASTS_MS).catch(() => []);
    const dropped = this.#dropped ?? new Set();
    this.#dropped = null;
    for (const { id } of kept.filter(({ id }) => dropped.has(id))) {
      await this.parts.store.delete(id).catch(() => {});
      this.#tell(id);
    }
    if (this.#hasEnded) return;
    const isWanted = ({ id, kind }: Entry) => !dropped.has(id) && !this.#find(id) && kind in this.parts.kinds;
    this.#show([...kept.filter(isWanted), ...this.#entries]);
    await this.run();
  }

  /**
   * Stores it, sends it after all earlier entries, and returns the service's answer. Throws the service's refusal,
   * which ends it; if the outcome is unknown, throws that error and keeps the entry.
   */
  async send(
    wanted: Pick<Entry, "id" | "user" | "kind" | "about" | "body" | "file"> & Partial<Pick<Entry, "isTried">>,
  ): Promise<unknown> {
    const before = this.#find(wanted.id);
    if (before === undefined && this.#entries.length >= MOST) throw new Full();
    const isTried = before?.isTried ?? wanted.isTried ?? false;
    const entry: Entry = { ...wanted, at: this.parts.now(), isTried };
    const answer = new Promise((resolve, reject) => this.#waiters.set(entry.id, { resolve, reject }));
    this.#show([...this.#entries.filter(({ id }) => id !== entry.id), entry]);
    this.#watch(entry.id);
    // Another page that finds it can't tell how far this one got.
    await this.parts.store.put({ ...entry, isTried: true }).catch(() => {});
    void this.run();
    return answer;
  }

  /** Sends everything that is due, including entries that wait for their next attempt. */
  async run(): Promise<void> {
    await Promise.all([...new Set(this.#entries.map(this.#laneOf))].map((name) => this.#runLane(name)));
  }

  async #runLane(name: string): Promise<void> {
    const lane = this.#lane(name);
    if (lane.isRunning) return;
    lane.isRunning = true;
    let goesOn = true;
    for (let entry = this.#due(name); goesOn && entry !== undefined; entry = this.#due(name))
      goesOn = await this.#carryOut(entry, lane);
    lane.isRunning = false;
    this.#expire();
  }

  /** Sends an entry again that the person still wants. A refused one gets a new key: its old one keeps the refusal. */
  async again(id: string): Promise<void> {
    const entry = this.#find(id);
    if (entry === undefined) return;
    const { refused, ...wanted } = entry;
    if (refused === undefined) await this.#save({ ...wanted, at: this.parts.now() });
    else {
      await this.#remove(id);
      this.#tell(id);
      const anew = { ...wanted, id: crypto.randomUUID(), at: this.parts.now() };
      this.#show([...this.#entries, anew]);
      await this.parts.store.put(anew).catch(() => {});
    }
    await this.run();
  }

  /** Drops an entry that the person no longer wants. Its last attempt may have taken effect. */
  async drop(id: string): Promise<void> {
    if (!(await this.#forget(id))) return;
    this.#tell(id);
    await this.run();
  }

  /** Removes an entry that the person dropped in another tab. */
  async droppedElsewhere(id: string): Promise<void> {
    if (await this.#forget(id)) await this.run();
  }

  /** Removes an entry. Reports whether there was one. */
  async #forget(id: string): Promise<boolean> {
    const entry = this.#find(id);
    if (entry === undefined) {
      this.#dropped?.add(id);
      return false;
    }
    const lane = this.#lane(this.#laneOf(entry));
    this.#settle(id)?.reject(new Dropped());
    if (lane.sending?.id === id) lane.sending.stop.abort();
    // The entries behind the dropped one are sent next.
    lane.failures = 0;
    await this.#remove(id);
    return true;
  }

  #tell(id: string): void {
    if (!this.#hasEnded) this.parts.dropped(id);
  }

  /** Reports whether it is sent automatically, now or once there is a connection. */
  isDue = (entry: Entry): boolean =>
    entry.refused === undefined && entry.at <= this.parts.now() && this.#dueForMs(entry) > 0;

  /** Returns for how long an entry is still sent automatically. */
  #dueForMs = ({ kind, at }: Entry): number => at + (this.parts.kinds[kind]?.sendsForMs ?? 0) - this.parts.now();

  /** Tells the page that waits for the entry once it is too old to be sent automatically. */
  #watch(id: string): void {
    const entry = this.#find(id);
    if (entry === undefined || !this.#waiters.has(id)) return;
    if (this.isDue(entry)) this.parts.later(id, this.#dueForMs(entry), () => this.#watch(id));
    else this.#expire();
  }

  /** Tells the pages whose entries are too old to be sent automatically. A pending attempt may still be answered. */
  #expire(): void {
    const isBeingSent = (id: string) => [...this.#lanes.values()].some(({ sending }) => sending?.id === id);
    for (const id of [...this.#waiters.keys()]) {
      const entry = this.#find(id);
      if (entry !== undefined && !this.isDue(entry) && !isBeingSent(id)) this.#settle(id)?.reject(new Expired());
    }
    this.#show(this.#entries);
  }

  /** Ends all sending. */
  end(): void {
    for (const { sending } of this.#lanes.values()) sending?.stop.abort();
    for (const { reject } of this.#waiters.values()) reject(new Dropped());
    this.#waiters.clear();
    this.#show([]);
    this.#hasEnded = true;
  }

  #laneOf = ({ kind }: Entry): string => this.parts.kinds[kind]?.lane ?? "";

  #lane(name: string): Lane {
    const lane = this.#lanes.get(name) ?? { sending: null, isRunning: false, failures: 0 };
    this.#lanes.set(name, lane);
    return lane;
  }

  #due(lane: string): Entry | undefined {
    return this.#hasEnded ? undefined : this.#entries.find((one) => this.#laneOf(one) === lane && this.isDue(one));
  }

  /** Reports whether the lane's next entry may be sent: without an answer they all wait. */
  async #carryOut(entry: Entry, lane: Lane): Promise<boolean> {
    const { id, kind } = entry;
    const stop = new AbortController();
    lane.sending = { id, stop };
    try {
      const how = this.parts.kinds[kind];
      if (how === undefined) throw new Dropped();
      await this.parts.ready();
      // It may have been dropped meanwhile.
      stop.signal.throwIfAborted();
      this.#entries = this.#entries.map((one) => (one.id === id ? { ...one, isTried: true } : one));
      const answer = await how.send(entry, (body) => this.#keepBody(id, body), stop.signal);
      lane.failures = 0;
      await this.#remove(id);
      this.#settle(id)?.resolve(answer);
      return true;
    } catch (error) {
      return await this.#failed(id, lane, error);
    } finally {
      lane.sending = null;
    }
  }

  async #failed(id: string, lane: Lane, error: unknown): Promise<boolean> {
    const entry = this.#find(id);
    if (entry === undefined || this.#hasEnded) return true;
    // If nobody waits for the answer, a refusal for too many requests does not end the entry: it is sent again later.
    if (isUncertain(error) || (isBusy(error) && !this.#waiters.has(id))) {
      if (this.parts.kinds[entry.kind]?.isPatient(error) !== true) this.#settle(id)?.reject(error);
      lane.failures += 1;
      this.#show(this.#entries);
      const name = this.#laneOf(entry);
      this.parts.later(`lane ${name}`, waitMs(error, lane.failures), () => void this.#runLane(name));
      return false;
    }
    lane.failures = 0;
    const waiter = this.#settle(id);
    if (waiter) await this.#remove(id);
    else await this.#save({ ...entry, refused: why(error) });
    waiter?.reject(error);
    return true;
  }

  #settle(id: string): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    return waiter;
  }

  async #keepBody(id: string, body: unknown): Promise<void> {
    const entry = this.#find(id);
    if (entry !== undefined) await this.#save({ ...entry, body });
  }

  #find(id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  async #save(entry: Entry): Promise<void> {
    this.#show(this.#entries.map((one) => (one.id === entry.id ? entry : one)));
    await this.parts.store.put(entry).catch(() => {});
  }

  async #remove(id: string): Promise<void> {
    this.#show(this.#entries.filter((entry) => entry.id !== id));
    await this.parts.store.delete(id).catch(() => {});
  }

  #show(entries: readonly Entry[]): void {
    this.#entries = entries;
    // Another person's entries may be shown by now.
    if (this.#hasEnded) return;
    const waits = (entry: Entry) => this.#lane(this.#laneOf(entry)).failures > 0 && this.isDue(entry);
    this.parts.changed(entries, entries.some(waits));
  }
}

const isBusy = (error: unknown): boolean => error instanceof Refusal && error.status === 429;

/** Returns the pause, as the service asks for it if it does; without a network another attempt costs nothing. */
function waitMs(error: unknown, failures: number): number {
  if (error instanceof Refusal && error.retryAfterS !== null) return error.retryAfterS * 1000;
  if (error instanceof NoAnswer) return FIRST_WAIT_MS;
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

function why(error: unknown): NonNullable<Entry["refused"]> {
  if (error instanceof Refusal) return { status: error.status, code: error.code, message: error.message };
  return { status: 0, code: "INTERNAL_ERROR", message: error instanceof Error ? error.message : String(error) };
}
