// What an offer pays for the time that it takes. Pure.
import type { Schemas } from "$shared/api/client";
import type { Offer } from "./offers";

/** How long the work takes of somebody who has done too few jobs to tell: what the service itself expects at first. */
export const USUAL_WORK_S = 25 * 60;
const JOBS_THAT_TELL = 3;

/** How long this mechanic's work takes on average. */
export function workS(figures: Pick<Schemas["MechanicStats"], "jobs_completed" | "working_s"> | null): number {
  if (figures === null || figures.jobs_completed < JOBS_THAT_TELL) return USUAL_WORK_S;
  return figures.working_s / figures.jobs_completed;
}

/** Rupees an hour, in tens: for the way to the vehicle, the work, and the way of a tow. */
export function perHour(offer: Pick<Offer, "estimated_earnings" | "eta_s" | "destination">, workS: number): number {
  const seconds = offer.eta_s + workS + (offer.destination?.duration_s ?? 0);
  return Math.round((offer.estimated_earnings * 360) / Math.max(seconds, 60)) * 10;
}
