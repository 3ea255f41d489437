// Adds an `Idempotency-Key` to every POST of signed-in people: a request sent twice is carried out once.
import type { Middleware } from "openapi-fetch";

/** POSTs that refuse a key, since their answer contains a secret that is shown only once. */
export const REFUSING: ReadonlySet<string> = new Set([
  "/admin/jobs/{id}/shares",
  "/admin/organisations/{id}/keys",
  "/admin/partner-keys/{id}/rotate",
  "/admin/place-requests",
  "/jobs/{id}/shares",
  "/mechanics/me/trackers",
  "/partner/cases/{id}/uploads",
  "/partner/deliveries/replay",
  "/partner/jobs/{id}/shares",
  "/partner/keys",
  "/partner/keys/{id}/rotate",
  "/partner/subscriptions",
  "/partner/subscriptions/{id}/rotate-secret",
  "/super-admin/invites",
  "/uploads/presign",
]);

/** A person who sends the same again later than this wants a second one. */
const KEPT_MS = 5 * 60_000;
/** The maximum number of stored keys; beyond it the oldest is dropped. */
const MOST = 20;
const HEADER = "idempotency-key";

/** The keys of requests whose outcome is still unknown, by their content. */
class Keys {
  readonly #kept = new Map<string, { key: string; since: number }>();

  constructor(private readonly now: () => number) {}

  of(asked: string): string {
    const known = this.#kept.get(asked);
    if (known && this.now() - known.since < KEPT_MS) return known.key;
    const made = { key: crypto.randomUUID(), since: this.now() };
    // Inserted again, so that it is the newest.
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
 * Adds a key to each POST that has none, and the same key when the same person repeats a request whose outcome is
 * unknown: a button pressed twice during a network outage creates one object. A form that keeps its key over a reload,
 * or repeats requests itself, uses an `Intention` with a fixed key.
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

/** Does the opposite of `isUncertain` for an answer. */
async function isCertain(response: Response): Promise<boolean> {
  if (response.status !== 409) return response.status < 500;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { error?: { code?: string } } | null)?.error?.code !== "IDEMPOTENCY_IN_FLIGHT";
}
