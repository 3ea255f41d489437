// A subscription in the format of its form. Pure.
import type { Schemas } from "$shared/api/client";

type Kind = Schemas["PartnerEventKind"];
type Threshold = "eta_below_min" | "within_m" | "positions_every_s";
export interface SubscriptionFields extends Record<"url" | Threshold, string> {
  /** All kinds if it is empty. */
  events: Kind[];
}

/** The kinds that are numbered and kept, in the order in which they usually happen. */
export const KINDS: readonly Kind[] = [
  "case.created",
  "case.offered",
  "case.call_requested",
  "case.accepted",
  "case.refused",
  "case.expired",
  "case.withdrawn",
  "case.closed",
  "job.created",
  "job.searching",
  "job.no_mechanic_found",
  "job.accepted",
  "job.promise_proposed",
  "job.promise_accepted",
  "job.promise_refused",
  "job.promise_extended",
  "job.promise_missed",
  "job.mechanic_left",
  "job.corrected",
  "job.en_route",
  "job.near",
  "job.arrived",
  "job.started",
  "job.loaded",
  "job.approval_requested",
  "job.approved",
  "job.rejected",
  "job.completed",
  "job.paid",
  "job.cancelled",
  "job.outcome",
];

const thresholds: Threshold[] = ["eta_below_min", "within_m", "positions_every_s"];

/** Returns whether a threshold is neither empty nor a whole number. */
export const isNoNumber = (text: string): boolean => !/^\d*$/.test(text.trim());

/** Returns the body to send, without the thresholds that are left empty. */
export function subscriptionOf(fields: SubscriptionFields): Schemas["NewSubscription"] {
  const given = thresholds.filter((name) => fields[name].trim() !== "");
  return {
    url: fields.url.trim(),
    events: fields.events,
    ...Object.fromEntries(given.map((name) => [name, Number(fields[name])])),
  };
}
