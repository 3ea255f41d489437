// Filters that several lists have.
import { sentence } from "../../parts/words";

export const choices = (values: readonly string[]): [string, string][] =>
  values.map((value) => [value, sentence(value)]);

export const jobFilter = { name: "job_id", label: "Job", kind: "named", sought: "job" } as const;

export const mechanicFilter = {
  name: "mechanic_profile_id",
  label: "Mechanic",
  kind: "named",
  sought: "mechanic",
} as const;

export const from = { name: "from", label: "From", kind: "date" } as const;

export const to = { name: "to", label: "To", kind: "date" } as const;
