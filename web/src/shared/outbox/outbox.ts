// A person's requests that the service has not confirmed: they are kept on the device and sent, each under its own key,
// one after the other in the order in which they were made; only lanes do not wait for each other. Rules, without the
// browser: storage, sending and display are passed in.
import { isUncertain, NoAnswer, Refusal } from "../api/errors";

export interface Entry {
  /** Also the key under which it is sent, so that sending it twice does it once. */
  readonly id: string;
  /** Whose it is. */
  readonly user: string;
  readonly kind: string;
  /** The job that it is about; empty if there is none yet. */
  readonly about: string;
  /** When the person last said that they want it, in milliseconds. */
  readonly at: number;
  readonly body: unknown;
  readonly file?: Blob;
  /** It went out before, and nobody knows what became of that. */
  readonly isTried: boolean;
  /** Why the service refused it while no page waited for that. */
  readonly refused?: { readonly status: number; readonly code: Refusal["code"]; readonly message: string };
}

export interface Kind {
  /** Entries of one lane are sent one after the other. Lanes do not wait for each other; most kinds share one. */
  lane?: string;
  /** For how long it is sent by itself. Later the person is asked, since they may not want it any more. */
  sendsForMs: number;
  /** Whether the page that asked waits for the next try, or is told that nobody knows yet. */
  isPatient(error: unknown): boolean;
  /** Sends it; `save` keeps what is done so far. Returns the service's answer. */
  send(entry: Entry, save: (body: unknown) => Promise<void>, signal: AbortSignal): Promise<unknown>;
}

export interface Store {
  /** In the order in which they were asked for; also forgets what is older than that. */
  load(user: string, since: number): Promise<Entry[]>;
  put(entry: Entry): Promise<void>;
  delete(id: string): Promise<void>;
}

export interface Parts {
  store: Store;
  kinds: Readonly<Record<string, Kind>>;
  /** Resolves while the person can be asked for; throws else, as a request would. */
  ready: () => Promise<void>;
  /** `isWaiting`: the last try of a lane got no answer, and another one follows. */
  changed: (entries: readonly Entry[], isWaiting: boolean) => void;
  /** Calls `then` after so long, instead of what was to be called later under the same name. */
  later: (name: string, ms: number, then: () => void) => void;
  /** Tells other tabs, which may have loaded the entry too, that it is no longer wanted. */
  dropped: (id: string) => void;
  now: () => number;
}

/** More is not kept: the one that has no room is refused. */
export const MOST = 30;
/** What is older is forgotten, whatever it was. */
export const LASTS_MS = 24 * 3_600_000;
const FIRST_WAIT_MS = 1_500;
const LONGEST_WAIT_MS = 60_000;

/** The person stopped it. */
export class Dropped extends Error {
  override name = "Dropped";
}

/** The entry became too old to be sent by itself. It stays, and the person is asked whether they still want it. */
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
  /** Tries without an answer since the last one with an answer. */
  failures: number;
}

export class Queue {
  #entries: readonly Entry[] = [];
  #waiters = new Map<string, Waiter>();
  #lanes = new Map<string, Lane>();
  #hasEnded = false;
  /** What is not wanted any more though it may still be loaded; null once everything is. */
  #dropped: Set<string> | null = new Set();

  constructor(private readonly parts: Parts) {}

  /** Takes up what an earlier page left, ahead of what was asked for meanwhile. */
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
   * Keeps it, sends it after all before it, and returns the service's answer. Throws what the service refuses, which
   * ends it; if nobody knows the outcome, throws that, and keeps it.
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
    // Another page that finds it does not know how far this one came.
    await this.parts.store.put({ ...entry, isTried: true }).catch(() => {});
    void this.run();
    return answer;
  }

  /** Sends everything that is due. What was left alone is tried once more. */
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

  /** The person still wants it. What was refused is another intention, since its key stands for the refusal. */
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

  /** The person does not want it any more. Its last try may have taken effect. */
  async drop(id: string): Promise<void> {
    if (!(await this.#forget(id))) return;
    this.#tell(id);
    await this.run();
  }

  /** The person dropped it in another tab. */
  async droppedElsewhere(id: string): Promise<void> {
    if (await this.#forget(id)) await this.run();
  }

  /** Removes an entry. Returns whether there was one. */
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

  /** Whether it is sent by itself, now or once there is a connection. */
  isDue = (entry: Entry): boolean =>
    entry.refused === undefined && entry.at <= this.parts.now() && this.#dueForMs(entry) > 0;

  /** Returns for how long an entry is still sent by itself. */
  #dueForMs = ({ kind, at }: Entry): number => at + (this.parts.kinds[kind]?.sendsForMs ?? 0) - this.parts.now();

  /** Tells the page that waits for the entry as soon as it is too old to be sent by itself. */
  #watch(id: string): void {
    const entry = this.#find(id);
    if (entry === undefined || !this.#waiters.has(id)) return;
    if (this.isDue(entry)) this.parts.later(id, this.#dueForMs(entry), () => this.#watch(id));
    else this.#expire();
  }

  /** Tells the pages whose entries are too old to be sent by themselves. A try under way may still have an answer. */
  #expire(): void {
    const isBeingSent = (id: string) => [...this.#lanes.values()].some(({ sending }) => sending?.id === id);
    for (const id of [...this.#waiters.keys()]) {
      const entry = this.#find(id);
      if (entry !== undefined && !this.isDue(entry) && !isBeingSent(id)) this.#settle(id)?.reject(new Expired());
    }
    this.#show(this.#entries);
  }

  /** Sends nothing any more. */
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

  /** Returns whether the next one of the lane may go: without an answer they all wait. */
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
    // Somebody else's may be shown by now.
    if (this.#hasEnded) return;
    const waits = (entry: Entry) => this.#lane(this.#laneOf(entry)).failures > 0 && this.isDue(entry);
    this.parts.changed(entries, entries.some(waits));
  }
}

const isBusy = (error: unknown): boolean => error instanceof Refusal && error.status === 429;

/** A service that says when it wants to be asked again is asked then; without a network it costs nothing to try. */
function waitMs(error: unknown, failures: number): number {
  if (error instanceof Refusal && error.retryAfterS !== null) return error.retryAfterS * 1000;
  if (error instanceof NoAnswer) return FIRST_WAIT_MS;
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

function why(error: unknown): NonNullable<Entry["refused"]> {
  if (error instanceof Refusal) return { status: error.status, code: error.code, message: error.message };
  return { status: 0, code: "INTERNAL_ERROR", message: error instanceof Error ? error.message : String(error) };
}
