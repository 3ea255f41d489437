// Where a vehicle is taken: rules, without a page.
import type { Schemas } from "../api/client";

interface Point {
  lat: number;
  lng: number;
}

/** A workshop of the operator, or any other place. */
export interface Destination extends Point {
  workshopId: string | null;
  /** The workshop's. */
  name: string | null;
  address: string;
}

export const ofWorkshop = ({
  id,
  name,
  address,
  lat,
  lng,
}: Pick<Schemas["NearWorkshop"], "id" | "name" | "address" | "lat" | "lng">): Destination => ({
  workshopId: id,
  name,
  address,
  lat,
  lng,
});

/** As the service is asked for it. */
export function asked({ workshopId, address, lat, lng }: Destination): Schemas["DestinationChoice"] {
  return workshopId === null ? { address, lat, lng } : { workshop_id: workshopId };
}

/** What people call it. */
export const placeName = ({
  workshop_name,
  address,
}: Pick<Schemas["JobDestination"], "workshop_name" | "address">): string => workshop_name ?? address;

type Category = Pick<Schemas["ServiceCategory"], "destination"> | null;

/** What somebody has said about where a vehicle goes. */
export interface Wanted {
  destination: Destination | null;
  /** It is to be decided with the mechanic. */
  isDestinationLater: boolean;
  receiverName: string;
  receiverPhone: string;
}

export const NOT_SAID: Wanted = { destination: null, isDestinationLater: false, receiverName: "", receiverPhone: "" };

/** Whether this kind of help takes vehicles somewhere. What a device kept of it may be older than destinations are. */
export const takesVehicle = (category: Category): boolean => (category?.destination ?? "none") !== "none";

/** Null if this kind of help takes the vehicle nowhere, or nobody has said where to. */
export function destinationOf({ destination }: Wanted, category: Category): Destination | null {
  return takesVehicle(category) ? destination : null;
}

/** It has yet to be said where the vehicle goes. */
export function lacksDestination({ destination, isDestinationLater }: Wanted, category: Category): boolean {
  return (
    takesVehicle(category) && destination === null && !(category?.destination === "optional" && isDestinationLater)
  );
}

/** Its part of the body of `POST /jobs`. */
export function wanted(said: Wanted, category: Category): Pick<Schemas["NewJob"], "destination"> {
  const destination = destinationOf(said, category);
  if (!destination) return {};
  const [name, phone] = [said.receiverName.trim(), said.receiverPhone.trim()];
  return {
    destination: {
      ...asked(destination),
      ...(name ? { receiver_name: name } : {}),
      ...(phone ? { receiver_phone: phone } : {}),
    },
  };
}
