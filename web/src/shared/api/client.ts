// Requests to the API: `const job = await answer(api.GET("/jobs/{id}", { params: { path: { id } } }))`.
import createClient, { type Middleware } from "openapi-fetch";
import { isUncertain, NoAnswer, Refusal, refusalOf } from "./errors";
import { carriedOutOnce } from "./keys";
import type { components, paths } from "./schema";
import { API, session } from "./session.svelte";

export type Schemas = components["schemas"];

const LIMIT_MS = 30_000;
/** How often a request is attempted that is safe to repeat. */
const TRIES = 3;
/** If the service asks for a longer pause, nothing is repeated automatically: the page shows when to try again. */
const LONGEST_WAIT_MS = 10_000;

const signedIn: Middleware = {
  async onRequest({ request, schemaPath }) {
    if (!isPublic(schemaPath)) request.headers.set("authorization", `Bearer ${await session.token()}`);
    else if (schemaPath.startsWith("/auth/") || schemaPath.startsWith("/demo/")) {
      for (const [name, value] of Object.entries(session.header)) {
        if (!request.headers.has(name)) request.headers.set(name, value);
      }
    }
    return request;
  },
};

/** Reports whether a route needs no token. */
function isPublic(path: string): boolean {
  const auth = "auth/(send-otp|verify-otp|admin-login|admin-sign-in|accept-invite|refresh)";
  return new RegExp(`^/(${auth}|idp/|shares/|config$|privacy-notice$|demo)`).test(path);
}

/** Sends a request with a timeout, and once more if the token had just become invalid. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const whose = session.userId;
  const response = await attempt(request);
  const authorization = request.headers.get("authorization");
  // Nothing is sent on behalf of a person who signed in meanwhile.
  if (response.status !== 401 || authorization === null || session.userId !== whose) return response;
  session.invalidate(authorization.slice("Bearer ".length));
  again.headers.set("authorization", `Bearer ${await session.token()}`);
  const second = await attempt(again);
  if (second.status === 401)
    session.end(
      refusalOf(
        401,
        await second
          .clone()
          .json()
          .catch(() => null),
        null,
      ),
    );
  return second;
}

async function attempt(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: limited(request.signal) });
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new NoAnswer("The service can't be reached.");
  }
}

/** Returns a signal that also times out. `AbortSignal.any` is missing on iPhones before iOS 17.4. */
function limited(signal: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const end = () => limit.abort();
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  setTimeout(end, LIMIT_MS);
  return limit.signal;
}

type None = { query?: never; header?: never; path?: never };
/** An operation that refuses the kinds of parameters that its generated type does not mention. */
type Exact<O> = Omit<O, "parameters"> & {
  parameters: O extends { parameters: infer P } ? P & Omit<None, keyof P> : None;
};
type ExactPaths = { [P in keyof paths]: { [M in keyof paths[P]]: Exact<paths[P][M]> } };

export const api = createClient<ExactPaths>({
  baseUrl: API,
  fetch: send,
  querySerializer: { array: { style: "form", explode: false } },
});
api.use(
  signedIn,
  carriedOutOnce(isPublic, () => session.userId),
);

type Result<T> = { data?: T; error?: unknown; response: Response };

/** Returns the body of a 2xx answer; throws a `Refusal` for every other status, `NoAnswer` if none arrived. */
export async function answer<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (response.ok) return data as T;
  const refusal = refusalOf(response.status, error ?? null, response.headers.get("retry-after"));
  if (refusal.code === "ACCOUNT_SUSPENDED") session.end(refusal);
  throw refusal;
}

/**
 * A request that a person wants carried out once: every attempt has the same `Idempotency-Key` until the outcome is
 * certain. Keep it for as long as the person may press the button again.
 */
export class Intention {
  #key: string;

  /** `key` is one that was stored before a reload. */
  constructor(key: string = crypto.randomUUID()) {
    this.#key = key;
  }

  /**
   * Calls `request` with the headers to send; repeats it automatically while it is unknown whether the last attempt
   * took effect.
   */
  async carryOut<T>(request: (headers: { "Idempotency-Key": string }) => Promise<Result<T>>): Promise<T> {
    const whose = session.userId;
    for (let tries = 1; ; tries += 1) {
      try {
        const body = await answer(request({ "Idempotency-Key": this.#key }));
        this.#key = crypto.randomUUID();
        return body;
      } catch (error) {
        if (!isUncertain(error)) {
          this.#key = crypto.randomUUID();
          throw error;
        }
        const wait =
          error instanceof Refusal && error.retryAfterS !== null ? error.retryAfterS * 1000 : 400 * 2 ** tries;
        if (
          tries === TRIES ||
          (whose !== null && session.userId !== whose) ||
          wait > LONGEST_WAIT_MS ||
          (error instanceof NoAnswer && !navigator.onLine)
        )
          throw error;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}
