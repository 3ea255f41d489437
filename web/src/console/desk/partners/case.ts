// The facts of a case.
import type { Schemas } from "$shared/api/client";
import { sentence } from "../../parts/words";
import { badge, code, phone, place, soft, time, words, type Cell } from "../list/cells";
import type { Fact } from "../list/list";
import { textNames } from "./contract";
import { help, organisation, refusals } from "./words";

type Case = Schemas["AdminPartnerCase"];

const locations: Record<Schemas["LocationType"], string> = {
  garage: "In a garage",
  basement: "In a basement",
  roadside: "At the roadside",
  highway: "On a highway",
  home: "At home",
  other: "Somewhere else",
};

const contact = (of: Schemas["CaseContact"] | null | undefined): Cell => (of ? [of.name, phone(of.phone)] : null);
const measured = (amount: number | null, unit: string): Cell => (amount === null ? null : `${amount} ${unit}`);

export const caseFacts = (of: Case): Fact[] => [
  ["Partner", organisation(of.organisation_id, of.organisation_name)],
  ["Phone", phone(of.organisation_phone)],
  ["Contract", of.contract_reference],
  ["Policy", of.policy_reference],
  ["Purchase order", of.purchase_order],
  ["Who", of.helped_person?.name ?? of.beneficiary.name],
  ["Phone there", phone(of.helped_person?.phone)],
  ["Texts to them", of.texts.length === 0 ? "None" : of.texts.map((text) => textNames[text])],
  ["Made", time(of.created_at)],
  ["Closed", time(of.closed_at)],
  ["Id", code(of.id)],
];

export const vehicleFacts = ({ vehicle: of }: Case): Fact[] => [
  ["Vehicle", [[of.make, of.model].filter(Boolean).join(" "), of.color]],
  ["Plate", of.registration_number],
  ["VIN", code(of.vin)],
  ["Odometer", measured(of.odometer_km, "km")],
  ["Fuel, drive", [of.fuel, of.drive].filter(Boolean).join(", ")],
  ["Weight", measured(of.weight_kg, "kg")],
];

export const placeFacts = ({ place: at, answers, notes_for_mechanic, internal_notes }: Case): Fact[] => [
  ["Place", at && locations[at.location_type]],
  ["Clearance", measured(at?.clearance_cm ?? null, "cm")],
  ["Keys", at?.keys_at ?? null],
  ["With the vehicle", at?.is_attended == null ? null : at.is_attended ? "Somebody" : "Nobody"],
  ["At the pickup", contact(at?.pickup_contact)],
  ["At the drop-off", contact(at?.dropoff_contact)],
  ...Object.entries(answers).map(([key, answer]): Fact => [sentence(key), inWords(answer)]),
  ["For the mechanic", words(notes_for_mechanic)],
  ["Internal notes", words(internal_notes)],
];

const stages: Record<Schemas["ClubStage"], Cell> = {
  waiting: badge("Waits for our answer", "warn"),
  call_asked: badge("A call was asked for", "warn"),
  accepted: badge("Waits for the club to confirm", "info"),
  confirmed: badge("Confirmed", "good"),
  refused: badge("Refused", "plain"),
  expired: badge("Expired", "bad"),
  withdrawn: badge("Withdrawn by the club", "plain"),
};

export const offerFacts = (offer: Schemas["OfferSnapshot"]): Fact[] => [
  ["Stage", [stages[offer.stage], offer.refusal_reason && soft(refusals[offer.refusal_reason])]],
  ["Help", help(offer.service_category_slug)],
  ["Where", [offer.pickup_address, place({ lat: offer.pickup_lat, lng: offer.pickup_lng })]],
  ["To", offer.destination_address],
  ["Says", words(offer.description)],
  ["Call asked for", time(offer.call_asked_at)],
  ["Promised", offer.eta_min === null ? null : [`${offer.eta_min} minutes`, time(offer.promised_at)]],
];

/** Formats an answer to a category's question. */
export const inWords = (answer: unknown): string =>
  typeof answer === "boolean" ? (answer ? "Yes" : "No") : answer === null ? "" : String(answer);
