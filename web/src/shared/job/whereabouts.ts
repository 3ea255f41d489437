// The last position of a job's mechanic, and their expected arrival. Frames, HTTP answers and shared links all give the
// age of a position; here it is a time of this device's clock.
import type { components } from "../api/frames";

type Location = components["schemas"]["Location"];
type Eta = components["schemas"]["Eta"];

/** A position older than this no longer shows where the mechanic is. */
export const FRESH_MS = 60_000;

export type Position = Location & { readonly seenAtMs: number };
export type Estimate = Eta & { readonly madeAtMs: number };

export const positionOf = <L extends Pick<Location, "age_ms">>(
  location: L,
  nowMs: number,
): L & { seenAtMs: number } => ({
  ...location,
  seenAtMs: nowMs - location.age_ms,
});

/** Returns the age of a position, and whether it must not be shown as current. */
export function age(
  { seenAtMs, stale }: Pick<Position, "seenAtMs" | "stale">,
  nowMs: number,
): { ms: number; isStale: boolean } {
  const ms = Math.max(0, nowMs - seenAtMs);
  return { ms, isStale: stale || ms >= FRESH_MS };
}

interface Whereabouts {
  readonly position: Pick<Position, "seenAtMs"> | null;
  readonly eta: Pick<Estimate, "eta_s" | "madeAtMs"> | null;
}

/** Returns the expected arrival by this device's clock. An estimate is as old as the position it is based on. */
export function arrivesAtMs({ position, eta }: Whereabouts): number | null {
  if (eta === null) return null;
  return Math.min(eta.madeAtMs, position?.seenAtMs ?? eta.madeAtMs) + eta.eta_s * 1000;
}

/** An estimate that exceeds the promise by no more than this counts as on time. */
const CLOSE_MS = 60_000;

/** The state of a promised arrival: it holds, or the mechanic is late and expected `at`, if that is known. */
export type Promised = { isLate: false; at: number } | { isLate: true; at: number | null };

/** Judges a promise by the minute, as people read it: it is broken from the next minute on. */
export function promised(promisedAt: string, arrivesAt: number | null, nowMs: number): Promised {
  const at = Date.parse(promisedAt);
  const minute = (ms: number) => Math.floor(ms / 60_000);
  const expected = arrivesAt !== null && arrivesAt > nowMs ? arrivesAt : null;
  const isLate = minute(nowMs) > minute(at) || (expected !== null && expected - at > CLOSE_MS);
  return isLate ? { isLate, at: expected } : { isLate, at };
}
