// Words for the service's codes.
import { m } from "$words";
import type { Schemas } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { isTowing } from "$shared/job/status";
import { distance } from "$shared/text/format";

type Shown = Pick<Schemas["Job"], "status" | "scheduled_for" | "loaded_at" | "is_unconfirmed">;

export function status(job: Shown): string {
  switch (job.status) {
    case "pending":
      return job.scheduled_for ? m.customer_status_scheduled() : m.customer_status_searching();
    case "dispatching":
      return m.customer_status_searching();
    case "accepted":
      return job.is_unconfirmed ? m.customer_status_unconfirmed() : m.customer_status_accepted();
    case "en_route":
      return m.customer_status_en_route();
    case "arrived":
      return m.customer_status_arrived();
    case "in_progress":
      return isTowing(job) ? m.customer_status_towing() : m.customer_status_in_progress();
    case "completed":
      return m.customer_status_completed();
    case "paid":
      return m.customer_status_paid();
    case "cancelled":
      return m.customer_status_cancelled();
    case "no_mechanic_found":
      return m.customer_status_nobody();
    case "disputed":
      return m.customer_status_disputed();
    case "resolved":
      return m.customer_status_resolved();
  }
}

export function statusKind(value: Schemas["JobStatus"]): "plain" | "info" | "good" | "warn" | "bad" {
  switch (value) {
    case "paid":
    case "resolved":
      return "good";
    case "completed":
    case "disputed":
      return "warn";
    case "no_mechanic_found":
      return "bad";
    case "cancelled":
      return "plain";
    default:
      return "info";
  }
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
  switch (code) {
    case "work_not_done":
      return m.customer_reason_work_not_done();
    case "poor_work":
      return m.customer_reason_poor_work();
    case "overcharged":
      return m.customer_reason_overcharged();
    case "wrong_items":
      return m.customer_reason_wrong_items();
    case "damage":
      return m.customer_reason_damage();
    case "behaviour":
      return m.customer_reason_behaviour();
    case "not_paid":
      return m.customer_reason_not_paid();
    case "other":
      return m.customer_reason_other();
  }
}

export function itemType(type: Schemas["LineItemType"]): string {
  switch (type) {
    case "labour":
      return m.customer_item_labour();
    case "part":
      return m.customer_item_part();
    case "travel":
      return m.customer_item_travel();
    case "tow":
      return m.customer_item_tow();
    case "fee":
      return m.customer_item_fee();
    case "discount":
      return m.customer_item_discount();
  }
}

export function ratingTag(tag: Schemas["RatingTag"]): string {
  switch (tag) {
    case "on_time":
      return m.customer_tag_on_time();
    case "skilled":
      return m.customer_tag_skilled();
    case "fair_price":
      return m.customer_tag_fair_price();
    case "explained_well":
      return m.customer_tag_explained_well();
    case "left_it_clean":
      return m.customer_tag_left_it_clean();
    case "polite":
      return m.customer_tag_polite();
    case "late":
      return m.customer_tag_late();
    case "unskilled":
      return m.customer_tag_unskilled();
    case "overcharged":
      return m.customer_tag_overcharged();
    case "unsafe":
      return m.customer_tag_unsafe();
    case "rude":
      return m.customer_tag_rude();
    default:
      return tag;
  }
}

export const GOOD_TAGS = ["on_time", "skilled", "fair_price", "explained_well", "left_it_clean", "polite"] as const;
export const BAD_TAGS = ["late", "unskilled", "overcharged", "unsafe", "rude"] as const;

export const FUELS = ["petrol", "diesel", "cng", "lpg", "electric", "hybrid", "other"] as const;

export function fuelName(fuel: (typeof FUELS)[number]): string {
  switch (fuel) {
    case "petrol":
      return m.customer_fuel_petrol();
    case "diesel":
      return m.customer_fuel_diesel();
    case "cng":
      return "CNG";
    case "lpg":
      return "LPG";
    case "electric":
      return m.customer_fuel_electric();
    case "hybrid":
      return m.customer_fuel_hybrid();
    case "other":
      return m.customer_fuel_other();
  }
}
