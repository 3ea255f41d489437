// The query of a list, from the page's address. Pure.

interface Period {
  from?: string;
  to?: string;
}

/** Returns what every list is asked: the given days as moments, and the page. */
export const queryOf = (address: URLSearchParams, limit: number): Period & { limit: number; page: number } => ({
  ...periodOf(address),
  limit,
  page: Math.max(1, Math.trunc(Number(address.get("page"))) || 1),
});

/** Returns a parameter that has one of these values; otherwise undefined, as if there were none. */
export function choiceOf<V extends string>(address: URLSearchParams, name: string, values: readonly V[]) {
  const given = address.get(name);
  return values.find((value) => value === given);
}

/** Returns the given days as moments: `to` is a day that is included, and routes take the first moment after it. */
export function periodOf(address: URLSearchParams): Period {
  const from = moment(address.get("from"), 0);
  const to = moment(address.get("to"), 1);
  return { ...(from !== null && { from }), ...(to !== null && { to }) };
}

/** Returns the first moment of the day some days after the given one; null if it is not a day. */
function moment(day: string | null, later: number): string | null {
  const at = new Date(`${day ?? ""}T00:00:00`);
  if (Number.isNaN(at.getTime())) return null;
  at.setDate(at.getDate() + later);
  return at.toISOString();
}
