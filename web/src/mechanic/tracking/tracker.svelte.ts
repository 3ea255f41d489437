// This phone's position: watched while the mechanic is online or on a job, stored on the device, and sent as often as
// the service asks for.
import { answer, api } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { socket } from "$shared/api/socket.svelte";
import {
  add,
  batch,
  discard,
  emptyQueue,
  restored,
  settle,
  type Fix,
  type Point,
  type Queue,
  type Receipt,
} from "./queue";
import { PointStore } from "./store";

export type Permission = "unknown" | "prompt" | "granted" | "denied" | "unavailable";

const FIRST_INTERVAL_S = 15;
const ASK_LIMIT_MS = 10_000;
/** How long a waiting person waits for a new position before the last one is used. */
const PATIENCE_MS = 2_000;
const AFTER_FAILURE_MS = 5_000;
/** A phone that has reported no new position for longer may have lost it silently. */
const AT_REST_MS = 10 * 60_000;

interface WakeLock {
  release(): Promise<void>;
  addEventListener(type: "release", listener: () => void): void;
}

class Tracker {
  permission = $state<Permission>("unknown");
  fix = $state<Fix | null>(null);
  running = $state(false);
  /** The number of points that the service doesn't have yet. */
  waiting = $state(0);
  /** When the service last received a point, in milliseconds. */
  sentAt = $state<number | null>(null);
  /** The time during which the page was hidden and nothing was sent. */
  gap = $state<{ from: number; to: number } | null>(null);
  isAwake = $state(false);
  intervalS = $state(FIRST_INTERVAL_S);

  #queue: Queue = emptyQueue();
  #store: PointStore | null = null;
  #user: string | null = null;
  #loading: Promise<void> = Promise.resolve();
  #watch: number | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #recordedAt = 0;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();
  #isAsking = false;
  /** Whether the phone can no longer determine its position. */
  #isLost = false;
  #pausedUntil = 0;
  #hiddenAt: number | null = null;
  #lock: WakeLock | null = null;
  #endings: (() => void)[] = [];

  /** Finds out whether this page may read the position, without prompting the person. */
  async look(): Promise<void> {
    if (!("geolocation" in navigator)) {
      this.permission = "unavailable";
      return;
    }
    try {
      const status = await navigator.permissions.query({ name: "geolocation" });
      const show = () => (this.permission = status.state);
      show();
      status.onchange = show;
    } catch {
      if (this.permission === "unknown") this.permission = "prompt";
    }
  }

  /** Asks the browser for the current position, which may prompt the person. */
  locate(): Promise<Fix | null> {
    return new Promise((resolve) => {
      if (!("geolocation" in navigator)) {
        this.permission = "unavailable";
        resolve(null);
        return;
      }
      navigator.geolocation.getCurrentPosition(
        (position) => {
          this.permission = "granted";
          this.fix = fixOf(position);
          resolve(this.fix);
        },
        (error) => {
          if (error.code === error.PERMISSION_DENIED) this.permission = "denied";
          resolve(null);
        },
        { enableHighAccuracy: true, timeout: ASK_LIMIT_MS, maximumAge: 0 },
      );
    });
  }

  start(user: string): void {
    if (this.running) return;
    this.running = true;
    this.#loading = this.#begin(user);
  }

  async #begin(user: string): Promise<void> {
    const store = await PointStore.open(user);
    const kept = await store.load().catch(() => ({ points: [], next: 1 }));
    if (!this.running) {
      store.close();
      return;
    }
    this.#store = store;
    // If the device stores nothing, the waiting points are still here.
    const here = this.#user === user ? this.#queue.waiting : [];
    const waiting = new Map([...kept.points, ...here].map((point) => [point.seq, point]));
    this.#user = user;
    this.#queue = restored([...waiting.values()], Math.max(kept.next, this.#queue.next));
    this.waiting = this.#queue.waiting.length;
    this.#watch = navigator.geolocation.watchPosition(
      (position) => {
        this.permission = "granted";
        this.#take(fixOf(position));
      },
      (error) => {
        if (error.code === error.PERMISSION_DENIED) this.permission = "denied";
        if (error.code === error.POSITION_UNAVAILABLE) this.#isLost = true;
      },
      { enableHighAccuracy: true, maximumAge: 0, timeout: 60_000 },
    );
    this.#timer = setInterval(() => this.#tick(), 1000);
    const seen = () => this.#seen();
    document.addEventListener("visibilitychange", seen);
    this.#endings = [
      socket.onOpen(() => {
        this.#pausedUntil = 0;
        void this.#send();
      }),
      socket.on("location.rate", ({ data }) => this.#pace(data.interval_s)),
      socket.on("hello", ({ data }) => this.#pace(data.location_interval_s)),
      () => document.removeEventListener("visibilitychange", seen),
    ];
    void this.#stayAwake();
    this.#tick();
  }

  stop(): void {
    if (!this.running) return;
    this.running = false;
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
    clearInterval(this.#timer);
    for (const end of this.#endings) end();
    this.#endings = [];
    void this.#lock?.release();
    this.#lock = null;
    this.isAwake = false;
    this.gap = null;
    this.#hiddenAt = null;
    // Waiting points stay on the device and are sent after the next start.
    this.#store?.close();
    this.#store = null;
  }

  /** Sends the phone's current position, before the service is asked to decide by it. */
  async report(): Promise<void> {
    const found = this.locate();
    const inTime = await Promise.race([found, new Promise<null>((late) => setTimeout(late, PATIENCE_MS, null))]);
    const fix = inTime ?? this.#atRest(Date.now()) ?? (await found);
    // Points that are recorded before the stored ones are loaded would be lost.
    await this.#loading;
    if (fix === null || !this.running) return;
    this.#record(fix);
    const limit = Date.now() + ASK_LIMIT_MS;
    while (this.#maySend && Date.now() < limit) await this.#send();
  }

  #pace(seconds: number): void {
    this.intervalS = Math.min(60, Math.max(1, seconds));
  }

  #tick(): void {
    const at = Date.now();
    if (at - this.#recordedAt >= this.intervalS * 1000) {
      const fix = this.#atRest(at);
      if (fix !== null) this.#record(fix);
      if (!this.#isAsking && this.permission !== "denied") void this.#ask();
    }
    if (this.waiting > 0) void this.#send();
  }

  /** Returns the last position as of now: the watch reports only changes, so a report holds until the next. */
  #atRest(at: number): Fix | null {
    return this.fix !== null && !this.#isLost && at - this.fix.at < AT_REST_MS ? { ...this.fix, at } : null;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const fix = await this.locate();
    this.#isAsking = false;
    if (fix !== null && this.running) this.#take(fix);
  }

  #take(fix: Fix): void {
    const isFirst = this.#recordedAt === 0;
    this.#isLost = false;
    this.fix = fix;
    // Slightly early is better than a whole interval late.
    if (isFirst || fix.at - this.#recordedAt >= this.intervalS * 1000 - 500) this.#record(fix);
  }

  #record(fix: Fix): void {
    if (fix.at <= this.#recordedAt) return;
    this.#recordedAt = fix.at;
    const { queue, point, dropped } = add(this.#queue, fix, socket.clockOffsetMs);
    this.#queue = queue;
    this.waiting = queue.waiting.length;
    void this.#store?.change(point, dropped, queue.next).catch(() => {});
    void this.#send();
  }

  #send(): Promise<void> {
    if (!this.#isSending && this.#maySend) {
      this.#isSending = true;
      this.#sending = this.#sendOnce();
    }
    return this.#sending;
  }

  get #maySend(): boolean {
    if (Date.now() < this.#pausedUntil || !navigator.onLine) return false;
    return socket.state !== "replaced" && socket.state !== "connecting" && this.#queue.waiting.length > 0;
  }

  async #sendOnce(): Promise<void> {
    const points = batch(this.#queue);
    let isMore = false;
    try {
      const receipt =
        socket.state === "open"
          ? await socket.command("location.update", { points })
          : await answer(api.POST("/mechanics/me/location", { body: { points } }));
      isMore = this.#settled(points, receipt);
    } catch (error) {
      this.#refused(points, error);
    } finally {
      this.#isSending = false;
    }
    if (isMore) void this.#send();
  }

  /** Settles an answer; reports whether there is more to send at once. */
  #settled(points: Point[], receipt: Receipt): boolean {
    const superseded = receipt.rejected.some(({ reason }) => reason === "superseded");
    this.#replace(settle(this.#queue, points, receipt));
    this.#pace(receipt.next_interval_s);
    if (receipt.accepted + receipt.duplicates > 0) {
      this.sentAt = Date.now();
      if (this.gap !== null && this.#queue.waiting.length === 0 && Date.now() - this.gap.to > 60_000) this.gap = null;
    }
    return this.#queue.waiting.length > 0 && !superseded;
  }

  #refused(points: Point[], error: unknown): void {
    if (error instanceof Refusal && error.code === "VALIDATION_FAILED") {
      this.#replace(discard(this.#queue, points, error.errors));
      return;
    }
    const wait = error instanceof Refusal && error.retryAfterS !== null ? error.retryAfterS * 1000 : AFTER_FAILURE_MS;
    this.#pausedUntil = Date.now() + wait;
  }

  #replace(queue: Queue): void {
    const still = new Set(queue.waiting.map(({ seq }) => seq));
    const gone = this.#queue.waiting.filter(({ seq }) => !still.has(seq)).map(({ seq }) => seq);
    this.#queue = queue;
    this.waiting = queue.waiting.length;
    void this.#store?.change(null, gone, queue.next).catch(() => {});
  }

  #seen(): void {
    if (document.visibilityState === "hidden") {
      this.#hiddenAt = Date.now();
      return;
    }
    void this.#stayAwake();
    const from = this.#hiddenAt;
    this.#hiddenAt = null;
    // Browsers may have kept the page running for a while: if it sent something meanwhile, there is no gap.
    if (from === null || Date.now() - Math.max(from, this.sentAt ?? 0) < 60_000) return;
    this.gap = { from: Math.max(from, this.sentAt ?? 0), to: Date.now() };
  }

  /** Keeps the screen on; the browser cancels that whenever the page is hidden. */
  async #stayAwake(): Promise<void> {
    const wake = (navigator as { wakeLock?: { request(type: "screen"): Promise<WakeLock> } }).wakeLock;
    if (wake === undefined || document.visibilityState !== "visible" || this.#lock !== null) return;
    try {
      const lock = await wake.request("screen");
      if (!this.running) {
        await lock.release();
        return;
      }
      this.#lock = lock;
      this.isAwake = true;
      lock.addEventListener("release", () => {
        this.#lock = null;
        this.isAwake = false;
      });
    } catch {
      this.isAwake = false;
    }
  }
}

function fixOf({ coords, timestamp }: GeolocationPosition): Fix {
  return {
    lat: coords.latitude,
    lng: coords.longitude,
    accuracyM: coords.accuracy,
    speedMps: coords.speed,
    heading: coords.heading,
    at: timestamp,
  };
}

export const tracker = new Tracker();
