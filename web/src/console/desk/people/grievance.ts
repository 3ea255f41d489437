// The deadlines of questions and complaints about people's data. Pure.
import type { Schemas } from "$shared/api/client";
import { DAY_S } from "../list/cells";

type Entry = Schemas["GrievanceEntry"];

export const kindNames: Record<Schemas["GrievanceKind"], string> = {
  access: "What we know",
  correction: "A correction",
  erasure: "Something to delete",
  consent: "A consent",
  other: "Something else",
};

/** Counted as on the status page: from three days before the due day on. */
const SOON_S = 3 * DAY_S;

/** Returns the remaining time in words, and whether it needs a colour. `now` is in milliseconds. */
export function due(
  row: Pick<Entry, "done_at" | "due_at">,
  now: number,
): { text: string; tone: "plain" | "warn" | "bad" } {
  if (row.done_at !== null) return { text: "Done", tone: "plain" };
  const left = (new Date(row.due_at).getTime() - now) / 1000;
  const days = Math.floor(Math.abs(left) / DAY_S);
  const span = days === 0 ? "less than a day" : days === 1 ? "1 day" : `${days} days`;
  if (left < 0) return { text: `Overdue by ${span}`, tone: "bad" };
  return { text: `Due in ${span}`, tone: left <= SOON_S ? "warn" : "plain" };
}
