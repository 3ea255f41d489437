// Words for the service's codes.
import { m } from "$words";
import type { Schemas } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { isTowing } from "$shared/job/status";
import { distance } from "$shared/text/format";
import { serviceTags } from "$shared/text/names";

type Shown = Pick<Schemas["Job"], "status" | "scheduled_for" | "loaded_at" | "is_unconfirmed">;

export function status(job: Shown): string {
  if (job.status === "pending" && job.scheduled_for) return m.customer_status_scheduled();
  if (job.status === "accepted" && job.is_unconfirmed) return m.customer_status_unconfirmed();
  if (isTowing(job)) return m.customer_status_towing();
  return {
    pending: m.customer_status_searching,
    dispatching: m.customer_status_searching,
    accepted: m.customer_status_accepted,
    en_route: m.customer_status_en_route,
    arrived: m.customer_status_arrived,
    in_progress: m.customer_status_in_progress,
    completed: m.customer_status_completed,
    paid: m.customer_status_paid,
    cancelled: m.customer_status_cancelled,
    no_mechanic_found: m.customer_head_nobody,
    disputed: m.customer_status_disputed,
    resolved: m.customer_status_resolved,
  }[job.status]();
}

export function statusKind(value: Schemas["JobStatus"]): "plain" | "info" | "good" | "warn" | "bad" {
  if (value === "paid" || value === "resolved") return "good";
  if (value === "completed" || value === "disputed") return "warn";
  if (value === "no_mechanic_found") return "bad";
  return value === "cancelled" ? "plain" : "info";
}

/** Names a part of a price; the service's names are in English. */
export function pricePart(name: string, tow: { distance_m: number } | null = null): string {
  if (tow && /destination|tow/i.test(name)) return m.shared_tow_of({ distance: distance(tow.distance_m) });
  if (/base/i.test(name)) return m.customer_price_base();
  if (/travel/i.test(name)) return m.customer_price_travel();
  return name;
}

/** Returns whether the service refuses the vehicle's destination. */
export const isAboutDestination = (error: unknown): boolean =>
  error instanceof Refusal && Object.keys(error.errors).some((field) => field.startsWith("destination"));

export function reason(code: Schemas["DisputeReason"]): string {
  return {
    work_not_done: m.customer_reason_work_not_done,
    poor_work: m.customer_reason_poor_work,
    overcharged: m.customer_reason_overcharged,
    wrong_items: m.customer_reason_wrong_items,
    damage: m.customer_reason_damage,
    behaviour: m.customer_reason_behaviour,
    not_paid: m.customer_reason_not_paid,
    other: m.customer_reason_other,
  }[code]();
}

export function itemType(type: Schemas["LineItemType"]): string {
  return {
    labour: m.shared_item_labour,
    part: m.shared_item_part,
    travel: m.customer_price_travel,
    tow: m.shared_category_towing,
    fee: m.shared_item_fee,
    discount: m.shared_item_discount,
  }[type]();
}

export function ratingTag(tag: Schemas["RatingTag"]): string {
  return (serviceTags as Partial<Record<Schemas["RatingTag"], () => string>>)[tag]?.() ?? tag;
}

export const GOOD_TAGS = ["on_time", "skilled", "fair_price", "explained_well", "left_it_clean", "polite"] as const;
export const BAD_TAGS = ["late", "unskilled", "overcharged", "unsafe", "rude"] as const;

export const FUELS = ["petrol", "diesel", "cng", "lpg", "electric", "hybrid", "other"] as const;

export function fuelName(fuel: (typeof FUELS)[number]): string {
  return {
    petrol: m.customer_fuel_petrol,
    diesel: m.customer_fuel_diesel,
    cng: () => "CNG",
    lpg: () => "LPG",
    electric: m.customer_fuel_electric,
    hybrid: m.customer_fuel_hybrid,
    other: m.customer_fuel_other,
  }[fuel]();
}
