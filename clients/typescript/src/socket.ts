/** The socket of a person who is signed in; docs/REALTIME.md describes its frames. */
import { connect, dataOf } from "./index.js";

/** A frame of the server. */
export interface Frame {
  type: string;
  ref?: string | null;
  job_id?: string;
  seq?: number;
  at?: string;
  data?: unknown;
  error?: { code: string; message: string };
  retry_after_s?: number;
}

/** A frame that the server refused. */
export class FrameRefused extends Error {
  readonly code: string;
  readonly retryAfterS: number | undefined;

  constructor(frame: Frame) {
    const { code = "", message = "" } = frame.error ?? {};
    super(`${code} ${message}`);
    this.name = "FrameRefused";
    this.code = code;
    this.retryAfterS = frame.retry_after_s;
  }
}

interface Answer {
  resolve: (data: unknown) => void;
  reject: (why: Error) => void;
}

/** An open socket. After a cut, open another one and subscribe with the `seq` of the last frame. */
export class Socket {
  readonly #socket: WebSocket;
  readonly #answers = new Map<string, Answer>();
  readonly #frames: Frame[] = [];
  #wake: () => void = () => {};
  #ref = 0;
  #isClosed = false;

  /** Opens a socket by a ticket, since pages can't set the header of a handshake. */
  static async open(baseUrl: string, accessToken: string, Constructor = globalThis.WebSocket): Promise<Socket> {
    const { ticket } = await dataOf(connect(baseUrl, accessToken).POST("/ws/ticket"));
    const address = new URL("/ws", baseUrl);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("ticket", ticket);
    const socket = new Constructor(address);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", () => reject(new Error(`the socket of ${baseUrl} could not be opened`)));
    });
    return new Socket(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data)) as Frame));
    socket.addEventListener("close", ({ code }) => {
      this.#isClosed = true;
      for (const { reject } of this.#answers.values()) reject(new Error(`the socket closed (${code})`));
      this.#wake();
    });
  }

  /** Sends a frame and returns the data of its ack; throws a `FrameRefused`. */
  send(type: string, data: unknown): Promise<unknown> {
    const ref = String(++this.#ref);
    return new Promise((resolve, reject) => {
      this.#answers.set(ref, { resolve, reject });
      this.#socket.send(JSON.stringify({ type, ref, data }));
    });
  }

  /** Follows a job; returns the `seq` of its last event. With `sinceSeq`, the events after that one follow. */
  async subscribe(jobId: string, sinceSeq?: number): Promise<number> {
    const data = { job_id: jobId, ...(sinceSeq === undefined ? {} : { since_seq: sinceSeq }) };
    return ((await this.send("job.subscribe", data)) as { seq: number }).seq;
  }

  /** Yields frames as they come, until the socket closes. */
  async *frames(): AsyncGenerator<Frame, void, undefined> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) yield frame;
      else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#socket.close();
  }

  #take(frame: Frame): void {
    const answer = frame.ref ? this.#answers.get(frame.ref) : undefined;
    if (!answer) {
      this.#frames.push(frame);
      return this.#wake();
    }
    this.#answers.delete(frame.ref!);
    if (frame.type === "error") answer.reject(new FrameRefused(frame));
    else answer.resolve(frame.data);
  }
}
