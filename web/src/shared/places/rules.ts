// The rules of place search, and of a pin's address.

/** The minimum that the service accepts. */
const LEAST = 2;
/** The minimum number of letters before an app searches automatically. */
const LEAST_TYPED = 3;
/** Links to maps are long; the service knows no names of more than 100 characters. */
export const QUERY_MOST = 1000;

/** Returns the query for a text; null if there is nothing to search. `byItself`: nobody pressed Enter. */
export function query(text: string, byItself: boolean): string | null {
  const words = text.trim().replace(/\s+/g, " ");
  return [...words].length >= (byItself ? LEAST_TYPED : LEAST) ? words : null;
}

/** Returns the option that a key moves to, out of `count`; null for other keys. -1 is none: in the field. */
export function moved(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  if (key === "ArrowDown") return active + 1 < count ? active + 1 : 0;
  if (key === "ArrowUp") return active > 0 ? active - 1 : count - 1;
  return null;
}

/** Returns the part of an address that is not in the name above it. */
export function rest({ name, address }: { name: string; address: string }): string {
  if (address === name) return "";
  return address.startsWith(`${name}, `) ? address.slice(name.length + 2) : address;
}

/** An address, and the version of it that nobody typed. */
export interface AddressLine {
  address: string;
  /** The address from the service; `address` is the same until the person types another. */
  foundAddress: string;
}

export function isTyped({ address, foundAddress }: AddressLine): boolean {
  return address.trim() !== "" && address !== foundAddress;
}

/** Clears the service's address after a move, since it no longer applies. */
export function afterMove(line: AddressLine): Partial<AddressLine> {
  return isTyped(line) ? {} : { address: "", foundAddress: "" };
}

/** Fills in a found address, but keeps a typed one. */
export function filled(line: AddressLine, found: string): Partial<AddressLine> {
  return isTyped(line) ? {} : { address: found, foundAddress: found };
}

/** Reports whether a text is too short to find a place by. */
export function isOneWord(text: string): boolean {
  return text.trim() !== "" && !/[\s,]/.test(text.trim());
}
