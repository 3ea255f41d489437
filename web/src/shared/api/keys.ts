// `Idempotency-Key` for every POST of somebody who is signed in: what is sent twice is carried out once.
import type { Middleware } from "openapi-fetch";

/** POSTs that refuse a key, since their answer holds a secret that is shown once. */
export const REFUSING: ReadonlySet<string> = new Set([
  "/admin/jobs/{id}/shares",
  "/admin/place-requests",
  "/jobs/{id}/shares",
  "/mechanics/me/trackers",
  "/super-admin/invites",
  "/uploads/presign",
]);

/** A person who sends the same once more later than this means another one. */
const KEPT_MS = 5 * 60_000;
/** Keys that are kept; beyond that the oldest is forgotten. */
const MOST = 20;
const HEADER = "idempotency-key";

/** The keys of requests whose outcome nobody knows yet, by what was asked. */
class Keys {
  readonly #kept = new Map<string, { key: string; since: number }>();

  constructor(private readonly now: () => number) {}

  of(asked: string): string {
    const known = this.#kept.get(asked);
    if (known && this.now() - known.since < KEPT_MS) return known.key;
    const made = { key: crypto.randomUUID(), since: this.now() };
    // Set anew, so that it is the newest.
    this.#kept.delete(asked);
    this.#kept.set(asked, made);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST) break;
      this.#kept.delete(oldest);
    }
    return made.key;
  }

  forget(key: string): void {
    for (const [asked, kept] of this.#kept) if (kept.key === key) this.#kept.delete(asked);
  }
}

/**
 * Adds a key to each POST that has none, the same one when the same person sends the same again and nobody knows what
 * became of the first: a button that was pressed twice while the network was away makes one object. A form that keeps a
 * key over a reload, or repeats by itself, has an `Intention`, whose key stays.
 */
export function carriedOutOnce(
  isPublic: (path: string) => boolean,
  whose: () => string | null,
  now: () => number = Date.now,
): Middleware {
  const keys = new Keys(now);
  return {
    async onRequest({ request, schemaPath }) {
      const takesKey = request.method === "POST" && !isPublic(schemaPath) && !REFUSING.has(schemaPath);
      if (takesKey && !request.headers.has(HEADER)) {
        const asked = `${whose() ?? ""} ${request.url}\n${await request.clone().text()}`;
        request.headers.set(HEADER, keys.of(asked));
      }
      return request;
    },
    async onResponse({ request, response }) {
      const key = request.headers.get(HEADER);
      if (key !== null && (await isCertain(response))) keys.forget(key);
      return response;
    },
  };
}

/** As `isUncertain` of a refusal, from the answer itself. */
async function isCertain(response: Response): Promise<boolean> {
  if (response.status !== 409) return response.status < 500;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { error?: { code?: string } } | null)?.error?.code !== "IDEMPOTENCY_IN_FLIGHT";
}
