// The photos of a job, as links that end soon.
import type { Schemas } from "$shared/api/client";

export type PartnerPhoto = Schemas["PartnerPhoto"];

/** A link is replaced this long before it ends. */
const EARLY_MS = 60_000;

// The same file has another signature in each list.
const fileOf = ({ line_item_id, url }: PartnerPhoto) => `${line_item_id ?? ""} ${url.split("?")[0]}`;

/** Returns the listed photos. Those that are known keep links that are still good: no picture is loaded twice. */
export function keepLinks(known: readonly PartnerPhoto[], listed: readonly PartnerPhoto[], nowMs: number) {
  const good = known.filter(({ expires_at }) => Date.parse(expires_at) - EARLY_MS > nowMs);
  const kept = new Map(good.map((photo) => [fileOf(photo), photo]));
  return listed.map((photo) => kept.get(fileOf(photo)) ?? photo);
}
