// The socket: the service's frames, commands with their answers, and jobs that are followed across reconnections.
import { untrack } from "svelte";
import { answer, api } from "./client";
import { NoAnswer, Refusal } from "./errors";
import type { components } from "./frames";
import { API, session } from "./session.svelte";

export type Frames = components["schemas"]["ServerFrames"];
export type Commands = components["schemas"]["ClientFrames"];
export type Answers = components["schemas"]["Answers"];

/** A frame from the service; `seq` is its number in the job's log, if it is part of one. */
export type Frame<T extends keyof Frames = keyof Frames> = {
  [K in T]: { type: K; job_id?: string; seq?: number; at: string; data: Frames[K] };
}[T];

/**
 * `replaced`: another tab or device of this mechanic took over, so this one stays disconnected until told to connect.
 */
export type SocketState = "closed" | "connecting" | "open" | "waiting" | "replaced";

const ANSWER_LIMIT_MS = 15_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** When a busy service refuses to let a job be followed, it is asked again after this, unless it says when. */
const FOLLOW_AGAIN_S = 5;
/** The service pings every 25 s, which pages can't see; we test a quiet connection with a frame of our own. */
const QUIET_MS = 40_000;

const NO_JOB = "00000000-0000-0000-0000-000000000000";

const REPLACED = 4001;
const SESSION_ENDED = 4401;

type Listener = (frame: Frame) => void;
interface Waiting {
  resolve: (data: unknown) => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}
interface Followed {
  since: number | null;
  /** Each with its callback for the case that the job may not be followed. */
  listeners: Map<Listener, ((refusal: Refusal) => void) | undefined>;
  /** Asks again after a temporary refusal. */
  again?: ReturnType<typeof setTimeout>;
}

class Socket {
  state = $state<SocketState>("closed");
  /** The service's clock minus ours, in milliseconds. */
  clockOffsetMs = $state(0);

  #socket: WebSocket | null = null;
  #wanted = false;
  #tries = 0;
  #turn = 0;
  #refs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<string, Waiting>();
  #listeners = new Map<string, Set<Listener>>();
  #followed = new Map<string, Followed>();
  #opened = new Set<() => void>();

  constructor() {
    if (typeof addEventListener === "undefined") return;
    addEventListener("online", () => this.#hurry());
    addEventListener("offline", () => {
      if (this.#socket) this.#lost(this.#socket, 1006, null);
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#hurry();
    });
  }

  /** Opens the socket and keeps it open until `disconnect`. */
  connect(): void {
    this.#wanted = true;
    if (this.state === "closed" || this.state === "replaced") void this.#open();
  }

  disconnect(): void {
    this.#wanted = false;
    clearTimeout(this.#timer);
    if (this.#socket) this.#lost(this.#socket, 1000, null);
    this.state = "closed";
  }

  /** Calls `listener` with every frame of a type. Returns a function that ends this. */
  on<T extends keyof Frames>(type: T, listener: (frame: Frame<T>) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener as Listener));
    return () => listeners.delete(listener as Listener);
  }

  /** Calls `listener` each time the socket opens, at once if it is open. Returns a function that ends this. */
  onOpen(listener: () => void): () => void {
    this.#opened.add(listener);
    // Otherwise a listening effect would rerun on whatever the listener reads.
    untrack(() => {
      if (this.state === "open") listener();
    });
    return () => this.#opened.delete(listener);
  }

  /** Sends a command and waits for its answer. Throws `NoAnswer` if the socket is closed or closes meanwhile. */
  command<T extends keyof Commands & keyof Answers>(type: T, data: Commands[T]): Promise<Answers[T]> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new NoAnswer("There is no connection."));
    const ref = String((this.#refs += 1));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(ref);
        reject(new NoAnswer("The service did not answer."));
        this.#lost(socket, 1006, null);
      }, ANSWER_LIMIT_MS);
      this.#waiting.set(ref, { resolve: resolve as (data: unknown) => void, reject, timer });
      socket.send(JSON.stringify({ type, ref, data }));
    });
  }

  /**
   * Follows a job: `listener` gets `job.snapshot`, then every later frame about the job, in order and exactly once,
   * whatever happens to the connection; or `refused` gets the reason why the service does not allow it, now or after a
   * reconnection. Returns a function that ends this.
   */
  follow(jobId: string, listener: (frame: Frame) => void, refused?: (refusal: Refusal) => void): () => void {
    const followed: Followed = this.#followed.get(jobId) ?? { since: null, listeners: new Map() };
    followed.listeners.set(listener, refused);
    // A second listener needs a snapshot as well.
    followed.since = null;
    this.#followed.set(jobId, followed);
    if (this.state === "open") this.#subscribe(jobId, followed);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size > 0) return;
      clearTimeout(followed.again);
      this.#followed.delete(jobId);
      this.command("job.unsubscribe", { job_id: jobId }).catch(() => {});
    };
  }

  #subscribe(jobId: string, followed: Followed): void {
    clearTimeout(followed.again);
    const since = followed.since === null ? {} : { since_seq: followed.since };
    this.command("job.subscribe", { job_id: jobId, ...since }).catch((error: unknown) => {
      // Without an answer the connection is lost, and the next one asks again.
      if (!(error instanceof Refusal) || followed.listeners.size === 0) return;
      if (error.code === "RATE_LIMITED" || error.code === "UNAVAILABLE") {
        clearTimeout(followed.again);
        followed.again = setTimeout(
          () => this.#subscribe(jobId, followed),
          (error.retryAfterS ?? FOLLOW_AGAIN_S) * 1000,
        );
        return;
      }
      for (const refused of followed.listeners.values()) refused?.(error);
    });
  }

  #hurry(): void {
    if (!this.#wanted || this.state !== "waiting") return;
    clearTimeout(this.#timer);
    void this.#open();
  }

  async #open(): Promise<void> {
    const turn = (this.#turn += 1);
    this.state = "connecting";
    let ticket: string;
    try {
      ({ ticket } = await answer(api.POST("/ws/ticket")));
    } catch (error) {
      if (turn !== this.#turn) return;
      if (error instanceof Refusal && (error.status === 401 || error.status === 403)) {
        this.state = "closed";
        return;
      }
      this.#wait(error instanceof Refusal ? error.retryAfterS : null);
      return;
    }
    // The socket was closed and opened again meanwhile: a page has only one connection.
    if (turn !== this.#turn) return;
    if (!this.#wanted) {
      this.state = "closed";
      return;
    }
    const url = new URL(`${API}/ws`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("ticket", ticket);
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#listen(socket);
    let drainingMs: number | null = null;
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      this.#listen(socket);
      const frame = JSON.parse(data) as Frame | { type: "ack" | "error"; ref: string | null };
      if (frame.type === "server.draining") drainingMs = (frame as Frame<"server.draining">).data.retry_after_ms;
      this.#receive(frame);
    };
    socket.onclose = ({ code }) => this.#lost(socket, code, drainingMs);
  }

  /** Handles a lost connection at once: browsers take long to close one whose other end is gone. */
  #lost(socket: WebSocket, code: number, drainingMs: number | null): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    clearTimeout(this.#quiet);
    socket.close();
    this.#failWaiting();
    if (code === REPLACED) {
      this.state = "replaced";
      return;
    }
    if (code === SESSION_ENDED) session.refresh().catch(() => {});
    this.#wait(drainingMs === null ? null : drainingMs / 1000);
  }

  #wait(afterS: number | null): void {
    if (!this.#wanted) {
      this.state = "closed";
      return;
    }
    this.state = "waiting";
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** this.#tries, LONGEST_WAIT_MS);
    this.#tries += 1;
    // A random part, so that not all clients return at the same moment.
    const wait = afterS === null ? backoff * (0.5 + Math.random() / 2) : afterS * 1000;
    this.#timer = setTimeout(() => void this.#open(), wait);
  }

  #receive(frame: Frame | { type: "ack" | "error"; ref: string | null }): void {
    if (frame.type === "ack" || frame.type === "error") {
      this.#settle(frame as { type: "ack" | "error"; ref: string | null });
      return;
    }
    const known = frame as Frame;
    if (known.type === "hello") {
      this.#tries = 0;
      this.clockOffsetMs = Date.parse((known as Frame<"hello">).data.server_time) - Date.now();
      this.state = "open";
      for (const [jobId, followed] of this.#followed) this.#subscribe(jobId, followed);
      for (const listener of this.#opened) listener();
    }
    const followed = known.job_id === undefined ? undefined : this.#followed.get(known.job_id);
    if (followed !== undefined) {
      if (known.seq !== undefined && known.type !== "job.snapshot") {
        if (followed.since !== null && known.seq <= followed.since) return;
      }
      if (known.seq !== undefined) followed.since = known.seq;
      for (const listener of followed.listeners.keys()) listener(known);
    }
    for (const listener of this.#listeners.get(known.type) ?? []) listener(known);
  }

  #settle(frame: {
    type: string;
    ref: string | null;
    data?: unknown;
    error?: ErrorDetail;
    retry_after_s?: number;
  }): void {
    const waiting = this.#waiting.get(frame.ref ?? "");
    if (waiting === undefined) return;
    this.#waiting.delete(frame.ref ?? "");
    clearTimeout(waiting.timer);
    if (frame.type === "ack") waiting.resolve(frame.data);
    else {
      const { code, message, errors } = frame.error as ErrorDetail;
      waiting.reject(new Refusal(0, code, message, errors ?? {}, frame.retry_after_s ?? null));
    }
  }

  #failWaiting(): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new NoAnswer("The connection was lost."));
    }
    this.#waiting.clear();
  }

  /** Detects connections that never open, or die without closing, by a frame that must be answered. */
  #listen(socket: WebSocket): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      // Any answer will do; without one, `command` abandons the connection.
      if (socket.readyState === WebSocket.OPEN) this.command("job.unsubscribe", { job_id: NO_JOB }).catch(() => {});
      else this.#lost(socket, 1006, null);
    }, QUIET_MS);
  }
}

type ErrorDetail = components["schemas"]["ErrorDetail"];

export const socket = new Socket();
