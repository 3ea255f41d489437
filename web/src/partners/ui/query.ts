// The query of a list, from the page's address. Pure.

/** Returns the given filters that have a value, with days as moments. */
export function filtersOf(address: URLSearchParams, names: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = address.get(name)?.trim() ?? "";
    if (value !== "") given[name] = name === "from" || name === "to" ? moment(value, name) : value;
  }
  return given;
}

/** Returns what the route is asked: the given filters, and the page. */
export const queryOf = (
  address: URLSearchParams,
  names: readonly string[],
  limit: number,
): Record<string, string | number> => ({
  ...filtersOf(address, names),
  limit,
  page: Math.max(1, Number(address.get("page")) || 1),
});

/** Returns the first moment of a day; `to` is an included last day, and the route takes the first moment after it. */
export function moment(day: string, name: "from" | "to"): string {
  const at = new Date(`${day}T00:00:00`);
  if (name === "to") at.setDate(at.getDate() + 1);
  return at.toISOString();
}

const DAYS = 30;

/** Returns the days that the address asks for, or else the last thirty days. */
export function reportQuery(address: URLSearchParams, now: Date): { from: string; to: string } {
  const from = address.get("from") ?? "";
  const to = address.get("to") ?? "";
  const first = new Date(now);
  first.setDate(first.getDate() - DAYS);
  return {
    from: from === "" ? first.toISOString() : moment(from, "from"),
    to: to === "" ? now.toISOString() : moment(to, "to"),
  };
}
