// The photos of a job, as links that end soon.
import type { Schemas } from "$shared/api/client";

export type PartnerPhoto = Schemas["PartnerPhoto"];

/** A link is replaced this long before it ends. */
const EARLY_MS = 60_000;
const EVERY_MS = 20_000;

// The same file has another signature in each list.
const fileOf = ({ line_item_id, url }: PartnerPhoto) => `${line_item_id ?? ""} ${url.split("?")[0]}`;

/** Returns the listed photos. Those that are known keep links that are still good: no picture is loaded twice. */
export function keepLinks(known: readonly PartnerPhoto[], listed: readonly PartnerPhoto[], nowMs: number) {
  const good = known.filter(({ expires_at }) => Date.parse(expires_at) - EARLY_MS > nowMs);
  const kept = new Map(good.map((photo) => [fileOf(photo), photo]));
  return listed.map((photo) => kept.get(fileOf(photo)) ?? photo);
}

/**
 * Returns how long to wait before photos are listed again. Those of a job with an outcome are final, and wait until the
 * first link has to be replaced; null if the job has no photos.
 */
export function pauseBeforeList(photos: readonly PartnerPhoto[], hasOutcome: boolean, nowMs: number): number | null {
  if (!hasOutcome) return EVERY_MS;
  if (photos.length === 0) return null;
  const end = Math.min(...photos.map(({ expires_at }) => Date.parse(expires_at)));
  return Math.max(EVERY_MS, end - EARLY_MS - nowMs);
}
