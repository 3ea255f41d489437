// The view of the live map in its address, so that a link shows others the same.
import { NO_FILTERS, type Chosen, type Filters } from "./choice";

export function filtersOf(query: URLSearchParams): Filters {
  const among = <T extends string>(name: string, known: readonly T[]) =>
    (query.get(name) ?? "").split(",").filter((value): value is T => known.includes(value as T));
  const waiting = Number(query.get("waiting"));
  return {
    ...NO_FILTERS,
    states: among("states", ["free", "offered", "busy"] as const),
    jobs: among("jobs", ["waiting", "active"] as const),
    vehicleType: among("vehicle", ["two_wheeler", "three_wheeler", "four_wheeler", "commercial"] as const)[0] ?? null,
    categoryId: query.get("category"),
    waitingLongerThanS: waiting > 0 ? waiting : null,
  };
}

export const queryOf = (filters: Filters): Record<string, string | null> => ({
  states: filters.states.join(","),
  jobs: filters.jobs.join(","),
  vehicle: filters.vehicleType,
  category: filters.categoryId,
  waiting: filters.waitingLongerThanS === null ? null : String(filters.waitingLongerThanS),
});

export function chosenOf(query: URLSearchParams): Chosen | null {
  const job = query.get("job");
  const mechanic = query.get("mechanic");
  return job ? { kind: "job", id: job } : mechanic ? { kind: "mechanic", id: mechanic } : null;
}

export const queryOfChosen = (chosen: Chosen | null): Record<string, string | null> => ({
  job: chosen?.kind === "job" ? chosen.id : null,
  mechanic: chosen?.kind === "mechanic" ? chosen.id : null,
});
