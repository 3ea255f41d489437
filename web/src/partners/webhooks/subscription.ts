// A subscription in the format of its form. Pure.
import type { NewSubscription } from "$shared/partners/types";

type Threshold = "eta_below_min" | "within_m" | "positions_every_s";
export type SubscriptionFields = Record<"url" | "events" | Threshold, string>;

const thresholds: Threshold[] = ["eta_below_min", "within_m", "positions_every_s"];

/** Returns the body to send. Kinds of events are separated by commas, spaces or lines; the service checks them. */
export function subscriptionOf(fields: SubscriptionFields): NewSubscription {
  const given = thresholds.filter((name) => fields[name].trim() !== "");
  return {
    url: fields.url.trim(),
    events: [...new Set(fields.events.split(/[\s,]+/).filter(Boolean))],
    ...Object.fromEntries(given.map((name) => [name, Number(fields[name])])),
  };
}
