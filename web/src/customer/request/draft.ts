// A call for help as far as it is written: rules, without the page.
import type { Schemas } from "$shared/api/client";
import { NOT_SAID, takesVehicle, wanted, type Wanted } from "$shared/destination/destination";
import { afterMove, isOneWord, type AddressLine } from "$shared/places/rules";

export type Urgency = Schemas["Urgency"];
export type Contact = Schemas["ContactPreference"];

export interface Draft extends AddressLine, Wanted {
  /** One key for one intention: sending this draft twice makes one job. Every change makes another one. */
  key: string;
  /** Who writes it; null until something is written. */
  owner: string | null;
  vehicleId: string | null;
  /** Of a vehicle that isn't known yet. */
  vehicleType: Schemas["VehicleType"] | null;
  categoryId: string | null;
  place: { lat: number; lng: number } | null;
  /** The person moved the pin, or said yes to where it is. */
  placeIsChosen: boolean;
  description: string;
  photoUrls: string[];
  urgency: Urgency;
  isForOther: boolean;
  otherName: string;
  otherPhone: string;
  contact: Contact;
  /** The value of a date and time field, in local time; empty for now. */
  scheduledFor: string;
  changedAt: number;
}

/** After this long the person is probably somewhere else. */
export const PLACE_LASTS_MS = 2 * 3_600_000;
const LASTS_MS = 24 * 3_600_000;

export function empty(now: number, key: string): Draft {
  return {
    key,
    owner: null,
    vehicleId: null,
    vehicleType: null,
    categoryId: null,
    place: null,
    placeIsChosen: false,
    address: "",
    foundAddress: "",
    ...NOT_SAID,
    description: "",
    photoUrls: [],
    urgency: "normal",
    isForOther: false,
    otherName: "",
    otherPhone: "",
    contact: "booker",
    scheduledFor: "",
    changedAt: now,
  };
}

/** A draft as it was kept; what is too old to be true is left out. */
export function revive(kept: string | null, now: number, key: string): Draft {
  const fresh = empty(now, key);
  if (kept === null) return fresh;
  try {
    const draft = { ...fresh, ...(JSON.parse(kept) as Partial<Draft>) };
    const age = now - draft.changedAt;
    if (!(age >= 0 && age < LASTS_MS)) return fresh;
    return age < PLACE_LASTS_MS
      ? draft
      : { ...draft, place: null, placeIsChosen: false, address: "", foundAddress: "", scheduledFor: "" };
  } catch {
    return fresh;
  }
}

/**
 * The draft with these changes: once the pin is somewhere else, an address that nobody typed is gone; and what was said
 * and shown of one problem is not taken over to another one.
 */
export function changed(draft: Draft, changes: Partial<Draft>): Draft {
  const { place, address, categoryId } = changes;
  const isMoved = place && (place.lat !== draft.place?.lat || place.lng !== draft.place.lng);
  const isOther = categoryId !== undefined && draft.categoryId !== null && categoryId !== draft.categoryId;
  return {
    ...draft,
    ...(isMoved && address === undefined ? afterMove(draft) : {}),
    ...(isOther ? { description: "", photoUrls: [] } : {}),
    ...changes,
  };
}

/** Coordinates as people write them: five decimals are a metre. */
export function coordinates({ lat, lng }: { lat: number; lng: number }): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

/** An address by which the place is found: a single word, such as "Home" or a town's name, gets the coordinates. */
function findable(text: string, place: { lat: number; lng: number }): string {
  const address = text.trim();
  if (address === "") return coordinates(place);
  return isOneWord(address) ? `${address} (${coordinates(place)})` : address;
}

/** The service takes a little more. */
export const ADDRESS_MOST = 470;

type Category = Pick<Schemas["ServiceCategory"], "destination"> | null;

interface Known {
  category: (id: string | null) => Category;
  vehicle: (id: string | null) => unknown;
}
/** The page after the one that was filled in. */
export function after(page: "place" | "destination", draft: Draft, garage: Known): string {
  if (page === "place" && takesVehicle(garage.category(draft.categoryId))) return "/request/destination";
  return garage.vehicle(draft.vehicleId) ? "/request/price" : "/request/vehicle";
}

/** The body of `POST /jobs`; null while something is missing. */
export function body(draft: Draft, category: Category = null): Schemas["NewJob"] | null {
  if (!draft.vehicleId || !draft.categoryId || !draft.place) return null;
  const other = draft.isForOther && draft.otherName.trim() !== "";
  return {
    vehicle_id: draft.vehicleId,
    service_category_id: draft.categoryId,
    pickup_lat: draft.place.lat,
    pickup_lng: draft.place.lng,
    pickup_address: findable(draft.address, draft.place),
    urgency: draft.urgency,
    ...(draft.description.trim() ? { description: draft.description.trim() } : {}),
    ...(draft.photoUrls.length > 0 ? { photo_urls: draft.photoUrls } : {}),
    ...(other ? { beneficiary_name: draft.otherName.trim(), contact_preference: draft.contact } : {}),
    ...(other && draft.otherPhone.trim() ? { beneficiary_phone: draft.otherPhone.trim() } : {}),
    ...wanted(draft, category),
    ...(draft.scheduledFor ? { scheduled_for: new Date(draft.scheduledFor).toISOString() } : {}),
  };
}

/** What is missing for somebody else's job, before the service says so. */
export function faultOfOther(draft: Draft): "name" | "phone" | null {
  if (!draft.isForOther) return null;
  if (draft.otherName.trim() === "") return "name";
  return draft.contact !== "booker" && draft.otherPhone.trim() === "" ? "phone" : null;
}
