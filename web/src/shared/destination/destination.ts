// The rules of a vehicle's destination, independent of any page.
import type { Schemas } from "../api/client";

interface Point {
  lat: number;
  lng: number;
}

/** A workshop of the operator, or any other place. */
export interface Destination extends Point {
  workshopId: string | null;
  /** The workshop's name. */
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

/** Returns the destination as requests contain it. */
export function asked({ workshopId, address, lat, lng }: Destination): Schemas["DestinationChoice"] {
  return workshopId === null ? { address, lat, lng } : { workshop_id: workshopId };
}

/** Returns the name that people use for it. */
export const placeName = ({
  workshop_name,
  address,
}: Pick<Schemas["JobDestination"], "workshop_name" | "address">): string => workshop_name ?? address;

type Category = Pick<Schemas["ServiceCategory"], "destination"> | null;

/** What a person has chosen as the vehicle's destination. */
export interface Wanted {
  destination: Destination | null;
  /** Whether to decide it later with the mechanic. */
  isDestinationLater: boolean;
  receiverName: string;
  receiverPhone: string;
}

export const NOT_SAID: Wanted = { destination: null, isDestinationLater: false, receiverName: "", receiverPhone: "" };

/** Reports whether this kind of help takes vehicles somewhere. Stored categories may be older than destinations. */
export const takesVehicle = (category: Category): boolean => (category?.destination ?? "none") !== "none";

/** Returns the destination; null if this kind of help needs none, or none was chosen. */
export function destinationOf({ destination }: Wanted, category: Category): Destination | null {
  return takesVehicle(category) ? destination : null;
}

/** Reports whether a destination has yet to be chosen. */
export function lacksDestination({ destination, isDestinationLater }: Wanted, category: Category): boolean {
  return (
    takesVehicle(category) && destination === null && !(category?.destination === "optional" && isDestinationLater)
  );
}

/** Returns its part of the body of `POST /jobs`. */
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
