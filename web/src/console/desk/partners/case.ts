// The facts of a case, for its page and for a job's.
import type { CasePlace, Contact, OfferedJob, PartnerCaseForAdmin } from "$shared/partners/types";
import { sentence } from "../../parts/words";
import { code, link, phone, place, time, words, type Cell } from "../list/cells";
import type { Fact } from "../list/list";

const locations: Record<CasePlace["location_type"], string> = {
  garage: "In a garage",
  basement: "In a basement",
  roadside: "At the roadside",
  highway: "On a highway",
  home: "At home",
  other: "Somewhere else",
};

const contact = (of: Contact | null): Cell => of && [of.name, phone(of.phone)];

export function caseFacts(of: PartnerCaseForAdmin): Fact[] {
  const { vehicle } = of;
  return [
    ["Partner", link(`/organisations/${of.organisation.id}`, of.organisation.name)],
    ["Phone", phone(of.organisation.phone)],
    ["Contract", of.contract_reference],
    ["Policy", of.policy_reference],
    ["Purchase order", of.purchase_order],
    ["Who", of.beneficiary.name],
    ["Phone there", phone(of.beneficiary.phone)],
    ["Vehicle", vehicle && [`${vehicle.make} ${vehicle.model}`.trim(), vehicle.color]],
    ["Plate", vehicle?.registration_number ?? null],
    ["VIN", code(vehicle?.vin)],
    ["Odometer", vehicle?.odometer_km == null ? null : `${vehicle.odometer_km} km`],
    ["Fuel, drive", [vehicle?.fuel, vehicle?.drive].filter(Boolean).join(", ")],
    ["Weight", vehicle?.weight_kg == null ? null : `${vehicle.weight_kg} kg`],
    ["Made", time(of.created_at)],
    ["Id", code(of.id)],
  ];
}

export const placeFacts = ({ place: at, answers, notes_for_mechanic }: PartnerCaseForAdmin): Fact[] => [
  ["Place", locations[at.location_type] ?? sentence(at.location_type)],
  ["Clearance", at.clearance_cm === null ? null : `${at.clearance_cm} cm`],
  ["Keys", at.keys_at],
  ["With the vehicle", at.is_attended === null ? null : at.is_attended ? "Somebody" : "Nobody"],
  ["At the pickup", contact(at.pickup_contact)],
  ["At the drop-off", contact(at.dropoff_contact)],
  ...Object.entries(answers).map(([key, answer]): Fact => [sentence(key), inWords(answer)]),
  ["For the mechanic", words(notes_for_mechanic)],
];

export const offerFacts = (offer: OfferedJob): Fact[] => [
  ["Help", sentence(offer.service_category_slug.replaceAll("-", "_"))],
  ["Where", [offer.pickup_address, place({ lat: offer.pickup_lat, lng: offer.pickup_lng })]],
  ["To", offer.destination?.address ?? null],
  ["Says", words(offer.description)],
];

/** Formats an answer to a category's question. */
export const inWords = (answer: unknown): string =>
  typeof answer === "boolean" ? (answer ? "Yes" : "No") : answer === null ? "" : String(answer);
