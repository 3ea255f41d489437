/** A stretch of days, both included. */
export interface Days {
  from: string;
  to: string;
}

function iso(day: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Returns the last `count` days, up to and including today. */
export function lastDays(count: number, now: Date): Days {
  const from = new Date(now);
  from.setDate(from.getDate() - (count - 1));
  return { from: iso(from), to: iso(now) };
}

/** Returns the Monday of the week before this one, and the next Monday, both as local days. */
export function lastWeek(now: Date): { monday: string; next: string } {
  const next = new Date(now);
  next.setDate(next.getDate() - ((next.getDay() + 6) % 7));
  const monday = new Date(next);
  monday.setDate(monday.getDate() - 7);
  return { monday: iso(monday), next: iso(next) };
}

/** Returns the days that an address asks for, or seven days if it has none or invalid ones. */
export function askedDays(query: URLSearchParams, now: Date): Days {
  const usual = lastDays(7, now);
  const day = (value: string | null) => (value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);
  const to = day(query.get("to")) ?? usual.to;
  const from = day(query.get("from")) ?? usual.from;
  return from <= to ? { from, to } : { from: to, to: from };
}

/** Formats an hour of the day, as `08–09 h`. */
export function hourSpan(hour: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(hour)}–${two((hour + 1) % 24)} h`;
}
