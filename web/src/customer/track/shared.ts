// What the holder of a link sees of a job, and when to look again: rules, without the page.
import type { components } from "$shared/api/schema";

export type SharedJob = components["schemas"]["SharedJob"];

/** How often the page asks; less often after failures. */
export const EVERY_MS = 10_000;
const AT_MOST_MS = 60_000;
/** With a stream, asking is only for what a stream can't say. */
const EVERY_WITH_STREAM_MS = 30_000;
const AFTER_LIMIT_MS = 30_000;
export const FRESH_MS = 60_000;

export interface Shared {
  state: "loading" | "live" | "ended" | "invalid";
  job: SharedJob | null;
  /** When the job was last answered, by the clock of this device. */
  heardAtMs: number | null;
  /** Tries in vain since. */
  failures: number;
}

export const nothing: Shared = { state: "loading", job: null, heardAtMs: null, failures: 0 };

/** What came of a look; `null` for no answer at all. */
export type Looked = { status: number; retryAfterS: number | null; job: SharedJob | null } | null;

/** The next state, and in how many milliseconds to look again; null for never. */
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
      next: { state: "live", job: looked.job, heardAtMs: nowMs, failures: 0 },
      waitMs: hasStream ? EVERY_WITH_STREAM_MS : EVERY_MS,
    };
  }
  // Too many have asked from this address: that is no lost connection.
  if (looked?.status === 429)
    return { next: before, waitMs: looked.retryAfterS === null ? AFTER_LIMIT_MS : looked.retryAfterS * 1000 };
  const failures = before.failures + 1;
  return { next: { ...before, failures }, waitMs: Math.min(EVERY_MS * failures, AT_MOST_MS) };
}

/** How old the mechanic's position is now, and whether it must not be shown as current. */
export function age(shared: Shared, nowMs: number): { ms: number; isStale: boolean } | null {
  const position = shared.job?.position;
  if (!position || shared.heardAtMs === null) return null;
  const ms = Math.max(0, position.age_ms + (nowMs - shared.heardAtMs));
  return { ms, isStale: position.stale || ms >= FRESH_MS };
}

/** Until the mechanic should be there, by their last position; below zero once that is past. An estimate ages with the position that it
 *  was made from. */
export function leftMs(shared: Shared, nowMs: number): number | null {
  const eta = shared.job?.eta;
  if (!eta || shared.heardAtMs === null) return null;
  const oldMs = age(shared, nowMs)?.ms ?? nowMs - shared.heardAtMs;
  return eta.eta_s * 1000 - oldMs;
}
