// Where the mechanic of a job was seen last, and when they should arrive. Frames, answers over HTTP and shared links
// all give the age of a position; here it is a time of this device's clock.
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

/** How old a position is, and whether it must not be shown as current. */
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

/** When the mechanic should arrive, by this device's clock. An estimate is as old as the position it was made from. */
export function arrivesAtMs({ position, eta }: Whereabouts): number | null {
  if (eta === null) return null;
  return Math.min(eta.madeAtMs, position?.seenAtMs ?? eta.madeAtMs) + eta.eta_s * 1000;
}

/** An estimate that is so little later than the promise says the same. */
const CLOSE_MS = 60_000;

/** What is true of a promised arrival: it holds, or the mechanic is late, and expected `at`, if anybody knows when. */
export type Promised = { isLate: false; at: number } | { isLate: true; at: number | null };

/** A promise is for a minute, as people read it: from the next one on it has passed. */
export function promised(promisedAt: string, arrivesAt: number | null, nowMs: number): Promised {
  const at = Date.parse(promisedAt);
  const minute = (ms: number) => Math.floor(ms / 60_000);
  const expected = arrivesAt !== null && arrivesAt > nowMs ? arrivesAt : null;
  const isLate = minute(nowMs) > minute(at) || (expected !== null && expected - at > CLOSE_MS);
  return isLate ? { isLate, at: expected } : { isLate, at };
}
