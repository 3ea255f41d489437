// The content of a table or a list of facts: values with a way to show them, without HTML.
import type { Schemas } from "$shared/api/client";
import { sentence } from "../../parts/words";

export type Tone = "plain" | "info" | "good" | "warn" | "bad";

export type Cell =
  | null
  | string
  | number
  /** Several cells, one below the other. */
  | Cell[]
  | { kind: "badge"; text: string; tone: Tone }
  | { kind: "money"; amount: number; currency: string }
  | { kind: "age"; since: string; warnS: number; badS: number }
  | { kind: "time"; at: string }
  | { kind: "job"; id: string; text: string | null }
  | { kind: "person"; id: string; name: string | null }
  | { kind: "mechanic"; id: string; name: string | null }
  | { kind: "link"; path: string; text: string }
  | { kind: "phone"; number: string }
  /** Shown on one line: the first items, and the number of the others. */
  | { kind: "several"; items: string[]; shown: number }
  | { kind: "place"; lat: number; lng: number }
  | { kind: "soft"; text: string }
  | { kind: "code"; text: string }
  /** Text that a person wrote. */
  | { kind: "text"; text: string }
  | { kind: "diff"; parts: { text: string; differs: boolean }[] };

const tones: Record<string, Tone> = {
  open: "warn",
  pending: "warn",
  pending_verification: "warn",
  name_mismatch: "warn",
  requested: "info",
  processing: "info",
  refunding: "info",
  authorized: "info",
  created: "plain",
  captured: "good",
  processed: "good",
  verified: "good",
  paid: "good",
  won: "good",
  accepted: "good",
  manually_approved: "good",
  active: "good",
  resolved: "good",
  refunded: "plain",
  partially_refunded: "info",
  failed: "bad",
  dead: "bad",
  rejected: "bad",
  suspended: "bad",
  invalid: "bad",
  lost: "bad",
  reversed: "bad",
};

/** Returns a cell with a status in words, in its usual tone. */
export const status = (value: string, tone: Tone = tones[value] ?? "plain"): Cell => ({
  kind: "badge",
  text: sentence(value),
  tone,
});
export const badge = (text: string, tone: Tone = "plain"): Cell => ({ kind: "badge", text, tone });
export const rupees = (amount: Schemas["Money"] | null | undefined, currency = "INR"): Cell =>
  amount === null || amount === undefined ? null : { kind: "money", amount, currency };
export const age = (since: string | null | undefined, warnS = Infinity, badS = Infinity): Cell =>
  since ? { kind: "age", since, warnS, badS } : null;
/** Returns the age of what should be done within a day. */
export const wait = (since: string, isOpen: boolean): Cell => (isOpen ? age(since, DAY_S, 3 * DAY_S) : age(since));
export const time = (at: string | null | undefined): Cell => (at ? { kind: "time", at } : null);
export const job = (id: string | null | undefined, text: string | null = null): Cell =>
  id ? { kind: "job", id, text } : null;
export const person = (id: string | null | undefined, name: string | null | undefined = null): Cell =>
  id ? { kind: "person", id, name: name ?? null } : (name ?? null);
export const mechanic = (id: string | null | undefined, name: string | null | undefined = null): Cell =>
  id ? { kind: "mechanic", id, name: name ?? null } : (name ?? null);
export const link = (path: string, text: string): Cell => ({ kind: "link", path, text });
export const phone = (number: string | null | undefined): Cell => (number ? { kind: "phone", number } : null);
export const place = ({ lat, lng }: { lat: number; lng: number }): Cell => ({ kind: "place", lat, lng });
export const several = (items: string[], shown: number): Cell =>
  items.length > 0 ? { kind: "several", items, shown } : null;
export const soft = (text: string | null | undefined): Cell => (text ? { kind: "soft", text } : null);
export const code = (text: string | null | undefined): Cell => (text ? { kind: "code", text } : null);
export const words = (text: string | null | undefined): Cell => (text ? { kind: "text", text } : null);
export const yes = (is: boolean): Cell => (is ? "Yes" : "No");

/** Joins items on one line: `shown` of them, and the number of the others. */
export function inShort(items: string[], shown: number): string {
  const more = items.length - shown;
  return more > 0 ? `${items.slice(0, shown).join(", ")} and ${more} more` : items.join(", ");
}

export const DAY_S = 86_400;
export const HOUR_S = 3_600;
