// Names for the codes of the API, the same in every app.
import { m } from "$words";
import type { Schemas } from "../api/client";

type VehicleType = Schemas["VehicleType"];

export const VEHICLE_TYPES: readonly VehicleType[] = ["two_wheeler", "three_wheeler", "four_wheeler", "commercial"];

export function vehicleTypeName(type: VehicleType): string {
  return {
    two_wheeler: m.shared_two_wheeler,
    three_wheeler: m.shared_three_wheeler,
    four_wheeler: m.shared_four_wheeler,
    commercial: m.shared_commercial,
  }[type]();
}

/** Returns a vehicle's name: its type, if only the plate is known. */
export function vehicleName(vehicle: { make: string; model: string; vehicle_type: VehicleType }): string {
  return `${vehicle.make} ${vehicle.model}`.trim() || vehicleTypeName(vehicle.vehicle_type);
}

/** Returns the name after the type. */
export function typeAndName(vehicle: { make: string; model: string; vehicle_type: VehicleType }): string {
  return [...new Set([vehicleTypeName(vehicle.vehicle_type), vehicleName(vehicle)])].join(" · ");
}

/** Returns the name of a kind of help: the default kinds are translated; others have the operator's name. */
export function categoryName(slug: string, name: string): string {
  const known: Record<string, () => string> = {
    "flat-tyre": m.shared_category_flat_tyre,
    "battery-jump-start": m.shared_category_battery,
    towing: m.shared_category_towing,
    "fuel-delivery": m.shared_category_fuel,
    lockout: m.shared_category_lockout,
    "on-site-repair": m.shared_category_repair,
  };
  return known[slug]?.() ?? name;
}

/** The names of the tags by which customers rate a mechanic's service. */
export const serviceTags = {
  on_time: m.shared_tag_on_time,
  skilled: m.shared_tag_skilled,
  fair_price: m.shared_tag_fair_price,
  explained_well: m.shared_tag_explained_well,
  left_it_clean: m.shared_tag_left_it_clean,
  polite: m.shared_tag_polite,
  late: m.shared_tag_late,
  unskilled: m.shared_tag_unskilled,
  overcharged: m.shared_tag_overcharged,
  unsafe: m.shared_tag_unsafe,
  rude: m.shared_tag_rude,
};
