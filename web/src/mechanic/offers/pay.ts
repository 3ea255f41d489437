// Relates an offer's pay to the time that the job takes. Pure.
import type { Schemas } from "$shared/api/client";
import type { Offer } from "./offers";

/** Roughly how long loading a vehicle and handing it over take. */
const LOADING_S = 15 * 60;

/**
 * Returns the seconds from the arrival to the end of the work: the usual duration of such work, but at least that of
 * the tow with its loading. Null if the kind of help is unknown.
 */
export function workS(
  { destination, job }: Pick<Offer, "destination" | "job">,
  categories: readonly Pick<Schemas["ServiceCategory"], "id" | "estimated_duration_min">[],
): number | null {
  const category = categories.find(({ id }) => id === job.service_category_id);
  if (!category) return null;
  return Math.max(category.estimated_duration_min * 60, destination ? destination.duration_s + LOADING_S : 0);
}

/** Returns the pay in rupees per hour, rounded to tens, for the way to the vehicle and the work. */
export function perHour(offer: Pick<Offer, "estimated_earnings" | "eta_s">, workS: number): number {
  return Math.round((offer.estimated_earnings * 360) / (offer.eta_s + workS)) * 10;
}
