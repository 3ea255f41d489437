// Plays the service for the pages of a test: every request is answered with the document's example, unless the test
// gives another answer.
import type { BrowserContext, WebSocketRoute } from "@playwright/test";
import { examples, type Answered, type Code, type Found, type Frames, type Operation, type Schemas } from "./examples";

export const API = "/api/v1";
/** The time of the examples. */
export const NOW = new Date("2026-03-14T08:41:00.000Z");

/** A page's request. */
export interface Asked {
  path: string;
  query: URLSearchParams;
  body: unknown;
}
/** The answer to it. */
export interface Reply {
  status: number;
  /** Null for an answer without a body. */
  body: unknown;
}

type Given =
  | { kind: "body"; of: (example: unknown, asked: Asked) => unknown }
  | { kind: "refusal"; status: number; code: Code; more: Partial<Schemas["ErrorDetail"]> };

/** Returns the list without its entries. */
export function none<T extends { data: unknown[] }>(list: T): T {
  return { ...list, data: [], ...("total" in list ? { total: 0 } : {}) };
}

/** Maps files to the server of the apps: the examples' own hosts are ones that pages may not load from. */
function withFiles<T>(body: T): T {
  const hosts = /https:\/\/(files\.example\.com|roadcall\.example\/uploads)\//g;
  return JSON.parse(JSON.stringify(body).replace(hosts, "/uploads/examples/")) as T;
}

export class Answers {
  readonly #given = new Map<Operation, Given>();
  readonly #sockets = new Set<WebSocketRoute>();
  readonly #jobs = new Set<string>();
  #context: BrowserContext | null = null;
  /** Errors that no page of the apps should cause. A test fails if there are any at its end. */
  readonly problems: string[] = [];
  /** The requests so far, such as "GET /jobs". */
  readonly asked: Operation[] = [];
  /** Applied to every answer with a body, after the test's own changes. */
  everyBody: (body: unknown, operation: Operation) => unknown = (body) => body;

  /** Takes over the sockets of the context. The server of the apps passes the pages' requests on to this. */
  async take(context: BrowserContext): Promise<void> {
    this.#context = context;
    await context.routeWebSocket(/\/api\/v1\/ws\?/, (socket) => this.#open(socket));
  }

  /** Makes the operation answer with `body`, or with the result of `body` for the example, from now on. */
  give<O extends Operation>(
    operation: O,
    body: Answered<O> | ((example: Answered<O>, asked: Asked) => Answered<O>),
  ): void {
    const of = typeof body === "function" ? (body as (example: unknown, asked: Asked) => unknown) : () => body;
    this.#given.set(operation, { kind: "body", of });
  }

  refuse(operation: Operation, status: number, code: Code, more: Partial<Schemas["ErrorDetail"]> = {}): void {
    this.#given.set(operation, { kind: "refusal", status, code, more });
  }

  /** Restores the example. */
  forget(operation: Operation): void {
    this.#given.delete(operation);
  }

  /** Cuts the network for these requests. Returns a function that restores it. */
  cut(...operations: Operation[]): Promise<() => Promise<void>> {
    return this.#stop(operations, Promise.reject(new Error("there is no network")));
  }

  /** Holds these answers back until the returned function is called. */
  async hold(...operations: Operation[]): Promise<() => Promise<void>> {
    let release = () => {};
    const end = await this.#stop(operations, new Promise<void>((resolve) => (release = resolve)));
    return async () => {
      release();
      await end();
    };
  }

  /** Holds requests before they get a connection: the browser keeps few connections to one server. */
  async #stop(operations: Operation[], until: Promise<void>): Promise<() => Promise<void>> {
    until.catch(() => {});
    const stopped = operations.map((operation) => examples().entry(operation));
    const isStopped = (url: URL) => stopped.some(({ path }) => path.test(below(url)));
    await this.#context?.route(isStopped, async (route) => {
      const method = route.request().method();
      const path = below(new URL(route.request().url()));
      if (stopped.some((entry) => entry.method === method && examples().find(method, path) === entry)) {
        try {
          await until;
        } catch {
          return route.abort("internetdisconnected");
        }
      }
      // The page may be closed by then.
      await route.fallback().catch(() => {});
    });
    return async () => this.#context?.unroute(isStopped);
  }

  /** Sends a frame to all open sockets. */
  send<T extends keyof Frames>(type: T, data: Frames[T], more: { job_id?: string; seq?: number } = {}): void {
    const frame = JSON.stringify({ type, at: NOW.toISOString(), ...more, data: withFiles(data) });
    for (const socket of this.#sockets) socket.send(frame);
  }

  /** Changes the job that `GET /jobs/{id}` returns, and tells its followers. */
  jobChanged(job: Schemas["Job"]): void {
    this.give("GET /jobs/{id}", job);
    if (this.#jobs.has(job.id)) this.send("job.updated", job, { job_id: job.id, seq: job.seq });
  }

  /** Answers a request; null if there is no answer for it. */
  reply(found: Found | undefined, method: string, asked: Asked): Reply | null {
    if (!found) {
      this.problems.push(`${method} ${asked.path} is not an operation of the document`);
      return null;
    }
    this.asked.push(found.operation);
    const given = this.#given.get(found.operation);
    if (given?.kind === "refusal") {
      const { status, code, more } = given;
      return { status, body: { success: false, error: { code, message: "This is why.", request_id: "0", ...more } } };
    }
    if (found.example === undefined && given === undefined) {
      this.problems.push(`the document has no example for the answer of ${found.operation}`);
      return null;
    }
    const example = structuredClone(found.example);
    const body = given?.kind === "body" ? given.of(example, asked) : example;
    if (body === null) return { status: found.example === null ? found.status : 204, body };
    return { status: found.status, body: this.everyBody(withFiles(body), found.operation) };
  }

  #open(socket: WebSocketRoute): void {
    this.#sockets.add(socket);
    socket.onClose(() => this.#sockets.delete(socket));
    socket.onMessage((text) => this.#command(socket, String(text)));
    const hello: Frames["hello"] = {
      session_id: "019ceb70-0000-7b20-9e32-6d1f5a8b0001",
      server_time: NOW.toISOString(),
      heartbeat_s: 25,
      location_interval_s: 3,
    };
    socket.send(JSON.stringify({ type: "hello", at: NOW.toISOString(), data: hello }));
  }

  #command(socket: WebSocketRoute, text: string): void {
    const { type, ref, data } = JSON.parse(text) as { type: string; ref: string; data: { job_id?: string } };
    const at = NOW.toISOString();
    const acknowledge = (data: unknown) => socket.send(JSON.stringify({ type: "ack", ref, at, data }));
    try {
      if (type === "job.subscribe" && data.job_id !== undefined) {
        this.#jobs.add(data.job_id);
        const job = this.#job(data.job_id);
        acknowledge({ job_id: job.id, seq: job.seq });
        socket.send(JSON.stringify({ type: "job.snapshot", job_id: job.id, seq: job.seq, at, data: job }));
      } else acknowledge(examples().acknowledgement(type));
      if (type === "fleet.subscribe")
        socket.send(JSON.stringify({ type: "fleet.snapshot", at, data: examples().frame("fleet.snapshot") }));
    } catch (error) {
      this.problems.push(String(error));
    }
  }

  /** Returns the job as `GET /jobs/{id}` does. */
  #job(id: string): Schemas["Job"] {
    const given = this.#given.get("GET /jobs/{id}");
    const example = examples().answer("GET /jobs/{id}");
    const asked = { path: `/jobs/${id}`, query: new URLSearchParams(), body: null };
    const job = given?.kind === "body" ? (given.of(example, asked) as Schemas["Job"]) : example;
    return this.everyBody(withFiles({ ...job, id }), "GET /jobs/{id}") as Schemas["Job"];
  }
}

/** Returns a request's path below the API's base path. */
const below = (url: URL): string => (url.pathname.startsWith(`${API}/`) ? url.pathname.slice(API.length) : "");
