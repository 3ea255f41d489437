// A link's view of a job, and when to request it again: rules, without the page.
import type { components } from "$shared/api/schema";
import { positionOf, type Estimate, type Position } from "$shared/job/whereabouts";

export type SharedJob = components["schemas"]["SharedJob"];

/** The interval of requests; it grows after failures. */
export const EVERY_MS = 10_000;
const AT_MOST_MS = 60_000;
/** With a stream, requests are only for data that a stream does not have. */
const EVERY_WITH_STREAM_MS = 30_000;
const AFTER_LIMIT_MS = 30_000;

export interface Shared {
  state: "loading" | "live" | "ended" | "invalid";
  job: SharedJob | null;
  /** The time of the last answer, by the clock of this device. */
  answeredAtMs: number | null;
  position: Pick<Position, "seenAtMs" | "stale"> | null;
  eta: Pick<Estimate, "eta_s" | "madeAtMs"> | null;
  /** The number of failures since then. */
  failures: number;
}

export const nothing: Shared = {
  state: "loading",
  job: null,
  answeredAtMs: null,
  position: null,
  eta: null,
  failures: 0,
};

/** The result of a request; `null` means no answer at all. */
export type Looked = { status: number; retryAfterS: number | null; job: SharedJob | null } | null;

/** Returns the next state, and the milliseconds until the next request; null means never. */
export function look(
  before: Shared,
  looked: Looked,
  nowMs: number,
  hasStream: boolean,
): { next: Shared; waitMs: number | null } {
  if (looked?.status === 410) return { next: { ...before, state: "ended", job: null }, waitMs: null };
  if (looked?.status === 404) return { next: { ...before, state: "invalid", job: null }, waitMs: null };
  if (looked?.status === 200 && looked.job) {
    return {
      next: {
        state: "live",
        job: looked.job,
        answeredAtMs: nowMs,
        position: looked.job.position && positionOf(looked.job.position, nowMs),
        eta: looked.job.eta && { ...looked.job.eta, madeAtMs: nowMs },
        failures: 0,
      },
      waitMs: hasStream ? EVERY_WITH_STREAM_MS : EVERY_MS,
    };
  }
  // Too many requests came from this address: that is not a lost connection.
  if (looked?.status === 429)
    return { next: before, waitMs: looked.retryAfterS === null ? AFTER_LIMIT_MS : looked.retryAfterS * 1000 };
  const failures = before.failures + 1;
  return { next: { ...before, failures }, waitMs: Math.min(EVERY_MS * failures, AT_MOST_MS) };
}
