// The pay of an offer for the time that it takes. Pure.
import type { Schemas } from "$shared/api/client";
import type { Offer } from "./offers";

/** A vehicle is loaded and handed over in about this time. */
const LOADING_S = 15 * 60;

/**
 * Seconds from the arrival to the end of the work: what such work usually takes, and never less than the tow with its
 * loading. Null if the kind of help is not known.
 */
export function workS(
  { destination, job }: Pick<Offer, "destination" | "job">,
  categories: readonly Pick<Schemas["ServiceCategory"], "id" | "estimated_duration_min">[],
): number | null {
  const category = categories.find(({ id }) => id === job.service_category_id);
  if (!category) return null;
  return Math.max(category.estimated_duration_min * 60, destination ? destination.duration_s + LOADING_S : 0);
}

/** Rupees an hour, in tens: for the way to the vehicle and the work. */
export function perHour(offer: Pick<Offer, "estimated_earnings" | "eta_s">, workS: number): number {
  return Math.round((offer.estimated_earnings * 360) / (offer.eta_s + workS)) * 10;
}
