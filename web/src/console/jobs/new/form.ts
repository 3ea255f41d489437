// What an admin types while somebody calls.
import type { Schemas } from "$shared/api/client";

export interface TypedVehicle {
  type: Schemas["VehicleType"];
  make: string;
  model: string;
  plate: string;
  color: string;
}

export interface NewJobForm {
  phone: string;
  /** Of a customer who has no account yet. */
  name: string;
  customer: Schemas["AdminUser"] | null;
  vehicle: Schemas["Vehicle"] | null;
  typedVehicle: TypedVehicle;
  address: string;
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

/** After this long the caller has found other help. */
export const LASTS_MS = 2 * 3_600_000;

export const emptyVehicle = (): TypedVehicle => ({ type: "two_wheeler", make: "", model: "", plate: "", color: "" });

/** With the phone number that the page's address gives, if it gives one. */
export function emptyForm(phone: string): NewJobForm {
  return {
    phone,
    name: "",
    customer: null,
    vehicle: null,
    typedVehicle: emptyVehicle(),
    address: "",
    coordinates: "",
    categoryId: "",
    description: "",
    urgency: "normal",
    isForOther: false,
    otherName: "",
    otherPhone: "",
    isLater: false,
    later: "",
  };
}

export function isTyped(form: NewJobForm, given: string): boolean {
  return JSON.stringify(form) !== JSON.stringify(emptyForm(given));
}

export function isVehicleTyped({ make, model, plate, color }: TypedVehicle): boolean {
  return (make + model + plate + color).trim() !== "";
}
