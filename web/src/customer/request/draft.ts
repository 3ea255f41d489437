// The draft of a call for help: rules, without the page.
import type { Schemas } from "$shared/api/client";
import { NOT_SAID, takesVehicle, wanted, type Wanted } from "$shared/destination/destination";
import { afterMove, isOneWord, type AddressLine } from "$shared/places/rules";

export type Urgency = Schemas["Urgency"];
export type Contact = Schemas["ContactPreference"];

export interface Draft extends AddressLine, Wanted {
  /** The key of one intention: sending this draft twice makes one job. Every change makes a new key. */
  key: string;
  /** The author; null until something is written. */
  owner: string | null;
  vehicleId: string | null;
  /** The kind of a vehicle that isn't known yet. */
  vehicleType: Schemas["VehicleType"] | null;
  categoryId: string | null;
  place: { lat: number; lng: number } | null;
  /** Whether the person moved the pin, or confirmed its place. */
  placeIsChosen: boolean;
  description: string;
  photoUrls: string[];
  urgency: Urgency;
  isForOther: boolean;
  otherName: string;
  otherPhone: string;
  contact: Contact;
  /** The value of a date and time field, in local time; empty means now. */
  scheduledFor: string;
  changedAt: number;
}

/** After this time the person is probably somewhere else. */
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

/** Restores a stored draft; outdated parts are left out. */
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
 * Returns the draft with these changes: if the pin moves, an address that nobody typed is removed; and details and
 * figures of one problem are not copied to another.
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

/** Formats coordinates: five decimals are accurate to a metre. */
export function coordinates({ lat, lng }: { lat: number; lng: number }): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

/** Returns an address that can be found: a single word, such as "Home" or a town, gets the coordinates. */
function findable(text: string, place: { lat: number; lng: number }): string {
  const address = text.trim();
  if (address === "") return coordinates(place);
  return isOneWord(address) ? `${address} (${coordinates(place)})` : address;
}

/** The service accepts slightly more. */
export const ADDRESS_MOST = 470;

type Category = Pick<Schemas["ServiceCategory"], "destination"> | null;

interface Known {
  category: (id: string | null) => Category;
  vehicle: (id: string | null) => unknown;
}
/** Returns the page after the completed one. */
export function after(page: "place" | "destination", draft: Draft, garage: Known): string {
  if (page === "place" && takesVehicle(garage.category(draft.categoryId))) return "/request/destination";
  return garage.vehicle(draft.vehicleId) ? "/request/price" : "/request/vehicle";
}

/** Returns the body of `POST /jobs`; null while something is missing. */
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

/** Returns what is missing in another person's job, before the service reports it. */
export function faultOfOther(draft: Draft): "name" | "phone" | null {
  if (!draft.isForOther) return null;
  if (draft.otherName.trim() === "") return "name";
  return draft.contact !== "booker" && draft.otherPhone.trim() === "" ? "phone" : null;
}
