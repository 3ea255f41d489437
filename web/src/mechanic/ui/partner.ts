// Words for what an organisation says about the job that it ordered.
import { m } from "$words";
import type { Schemas } from "$shared/api/client";

export type Partner = Schemas["JobPartner"];

const PLACES: Record<string, () => string> = {
  garage: m.mechanic_partner_garage,
  basement: m.mechanic_partner_basement,
  roadside: m.mechanic_partner_roadside,
  highway: m.mechanic_partner_highway,
  home: m.mechanic_partner_home,
};

/** Returns the lines about the place, without what is not known. */
export function placeLines(partner: Partner): string[] {
  const { location_type, clearance_cm, keys_at, is_attended } = partner;
  return [
    location_type === null ? null : (PLACES[location_type]?.() ?? null),
    clearance_cm === null ? null : m.mechanic_partner_clearance({ cm: clearance_cm }),
    is_attended === null ? null : (is_attended ? m.mechanic_partner_attended : m.mechanic_partner_unattended)(),
    keys_at === null ? null : m.mechanic_partner_keys({ where: keys_at }),
  ].filter((line) => line !== null);
}

/** Returns the facts about the vehicle in one line; empty if nothing is known. */
export function vehicleLine({ vehicle }: Pick<Partner, "vehicle">): string {
  const { vin, fuel, drive, weight_kg } = vehicle;
  const weight = weight_kg === null ? null : m.mechanic_partner_weight({ kg: weight_kg });
  return [vin, fuel, drive, weight].filter(Boolean).join(" · ");
}

/** Reports whether the organisation hides prices: each price of the job is then the mechanic's share. */
export const hidesPrices = (partner: Partner | null | undefined): boolean => partner?.shows_prices === false;
