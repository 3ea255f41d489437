// The form that an admin fills in during a call.
import type { Schemas } from "$shared/api/client";
import { NOT_SAID, wanted, type Wanted } from "$shared/destination/destination";
import type { AddressLine } from "$shared/places/rules";
import type { Place } from "../../parts/place";

export interface TypedVehicle {
  type: Schemas["VehicleType"];
  make: string;
  model: string;
  plate: string;
  color: string;
}

export interface NewJobForm extends AddressLine, Wanted {
  phone: string;
  /** The name of a customer who has no account yet. */
  name: string;
  customer: Schemas["AdminUser"] | null;
  vehicle: Schemas["Vehicle"] | null;
  typedVehicle: TypedVehicle;
  coordinates: string;
  categoryId: string;
  description: string;
  urgency: Schemas["Urgency"];
  isForOther: boolean;
  otherName: string;
  otherPhone: string;
  isLater: boolean;
  /** The value of a date and time field, in local time. */
  later: string;
}

/** After this time the caller has found other help. */
export const LASTS_MS = 2 * 3_600_000;

export const emptyVehicle = (): TypedVehicle => ({ type: "two_wheeler", make: "", model: "", plate: "", color: "" });

/** Returns an empty form, with the phone number from the page's address, if there is one. */
export function emptyForm(phone: string): NewJobForm {
  return {
    phone,
    name: "",
    customer: null,
    vehicle: null,
    typedVehicle: emptyVehicle(),
    address: "",
    foundAddress: "",
    coordinates: "",
    categoryId: "",
    description: "",
    urgency: "normal",
    isForOther: false,
    otherName: "",
    otherPhone: "",
    isLater: false,
    later: "",
    ...NOT_SAID,
  };
}

export function isTyped(form: NewJobForm, given: string): boolean {
  return JSON.stringify(form) !== JSON.stringify(emptyForm(given));
}

export function isVehicleTyped({ make, model, plate, color }: TypedVehicle): boolean {
  return (make + model + plate + color).trim() !== "";
}

/** Returns the body of the request that creates the job. */
export function bodyOf(
  form: NewJobForm,
  vehicle: Schemas["Vehicle"],
  place: Place,
  category: Schemas["ServiceCategory"] | null,
): Schemas["NewJob"] {
  const description = form.description.trim();
  return {
    vehicle_id: vehicle.id,
    service_category_id: form.categoryId,
    pickup_lat: place.lat,
    pickup_lng: place.lng,
    pickup_address: form.address.trim(),
    urgency: form.urgency,
    ...(description ? { description } : {}),
    ...(form.isForOther
      ? {
          beneficiary_name: form.otherName.trim(),
          beneficiary_phone: form.otherPhone.trim(),
          contact_preference: "beneficiary" as const,
        }
      : {}),
    ...wanted(form, category),
    ...(form.isLater && form.later ? { scheduled_for: new Date(form.later).toISOString() } : {}),
  };
}
