// Filters that several lists have.
import { sentence } from "../../parts/words";
import type { Filter } from "../list/list";

/** Returns a filter by a few values, maybe with labels. `initial` applies unless the address has another value. */
export const choice = (
  name: string,
  label: string,
  values: readonly string[] | Record<string, string>,
  initial?: string,
): Filter => ({
  name,
  label,
  kind: "choice",
  options: Array.isArray(values) ? values.map((value: string) => [value, sentence(value)]) : Object.entries(values),
  ...(initial === undefined ? {} : { initial }),
});

export const jobFilter = { name: "job_id", label: "Job", kind: "named", sought: "job" } as const;

export const mechanicFilter = {
  name: "mechanic_profile_id",
  label: "Mechanic",
  kind: "named",
  sought: "mechanic",
} as const;

export const from = { name: "from", label: "From", kind: "date" } as const;

export const to = { name: "to", label: "To", kind: "date" } as const;

export const organisationFilter = {
  name: "organisation_id",
  label: "Partner",
  kind: "named",
  sought: "organisation",
} as const;
