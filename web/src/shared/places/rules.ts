// Rules of searching for a place, and of the address of a pin.

/** The service refuses less. */
const LEAST = 2;
/** The beginning of a name has at least so many letters before an app asks by itself. */
const LEAST_TYPED = 3;
/** Links to maps are long; of names the service knows none of more than 100 characters. */
export const QUERY_MOST = 1000;

/** What is sent for a text; null where there is nothing to ask. `byItself`: nobody pressed Enter. */
export function query(text: string, byItself: boolean): string | null {
  const words = text.trim().replace(/\s+/g, " ");
  return [...words].length >= (byItself ? LEAST_TYPED : LEAST) ? words : null;
}

/** The option that a key leads to, of so many; null for a key that leads nowhere. -1 is none, in the field. */
export function moved(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  if (key === "ArrowDown") return active + 1 < count ? active + 1 : 0;
  if (key === "ArrowUp") return active > 0 ? active - 1 : count - 1;
  return null;
}

/** What of an address is not in the name above it. */
export function rest({ name, address }: { name: string; address: string }): string {
  if (address === name) return "";
  return address.startsWith(`${name}, `) ? address.slice(name.length + 2) : address;
}

/** An address, and the part of it that nobody typed. */
export interface AddressLine {
  address: string;
  /** What the service said; the address is this as long as nobody typed another. */
  foundAddress: string;
}

export function isTyped({ address, foundAddress }: AddressLine): boolean {
  return address.trim() !== "" && address !== foundAddress;
}

/** Of another place, what the service said is no longer true. */
export function afterMove(line: AddressLine): Partial<AddressLine> {
  return isTyped(line) ? {} : { address: "", foundAddress: "" };
}

/** What somebody typed stays. */
export function filled(line: AddressLine, found: string): Partial<AddressLine> {
  return isTyped(line) ? {} : { address: found, foundAddress: found };
}

/** Whether a text is too little to find a place by. */
export function isOneWord(text: string): boolean {
  return text.trim() !== "" && !/[\s,]/.test(text.trim());
}
