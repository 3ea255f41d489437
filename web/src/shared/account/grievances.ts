// The questions and complaints of people about their data. Pure.
import type { Schemas } from "../api/client";

export type Grievance = Schemas["Grievance"];
export type GrievanceKind = Schemas["GrievanceKind"];

/** In the order of the menu. */
export const KINDS: readonly GrievanceKind[] = ["access", "correction", "erasure", "consent", "other"];
export const MOST_LETTERS = 2000;
/** The maximum that the service accepts at a time. */
export const MOST_OPEN = 5;

export function isFull(all: readonly Grievance[]): boolean {
  return all.filter((one) => one.status === "open").length >= MOST_OPEN;
}

/** Returns the contact for further questions: a name with its address, or the address alone. */
export function contactText(contact: Schemas["PrivacyContact"]): string {
  return contact.name ? `${contact.name}, ${contact.email}` : contact.email;
}

/** Merges pages, newest first, without duplicates: pages may shift while they are read. */
export function together(known: readonly Grievance[], further: readonly Grievance[]): Grievance[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...further.filter(({ id }) => !ids.has(id))];
}
