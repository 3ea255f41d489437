// Amounts, times and distances in the style of the person's language.
import { getLocale } from "$locale";

/** Returns the locale; English is written as in India: lakhs, day before month. */
function locale(): string {
  return `${getLocale()}-IN`;
}

const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>();
function cached<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: (locale: string) => T,
): T {
  const full = `${locale()} ${key}`;
  let found = cache.get(full) as T | undefined;
  if (!found) cache.set(full, (found = make(locale())));
  return found;
}

/** Formats an amount in the major unit, as in the API. */
export function money(amount: number, currency = "INR"): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  return cached(
    `money ${currency} ${digits}`,
    (l) =>
      new Intl.NumberFormat(l, {
        style: "currency",
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  ).format(amount);
}

export function number(value: number, digits = 0): string {
  return cached(`number ${digits}`, (l) => new Intl.NumberFormat(l, { maximumFractionDigits: digits })).format(value);
}

export function percent(share: number): string {
  return cached("percent", (l) => new Intl.NumberFormat(l, { style: "percent", maximumFractionDigits: 0 })).format(
    share,
  );
}

export function distance(metres: number): string {
  return metres < 1000
    ? cached("m", (l) => new Intl.NumberFormat(l, { style: "unit", unit: "meter", maximumFractionDigits: 0 })).format(
        Math.round(metres / 10) * 10,
      )
    : cached(
        "km",
        (l) => new Intl.NumberFormat(l, { style: "unit", unit: "kilometer", maximumFractionDigits: 1 }),
      ).format(metres / 1000);
}

/** Units have one form: India's English would say "1 min" and "5 mins". */
const unitLocale = (locale: string): string => (locale === "en-IN" ? "en-US" : locale);

/** Formats a duration, such as "12 min" or "1 hr 5 min". */
export function duration(seconds: number): string {
  const minutes = Math.max(0, Math.round(seconds / 60));
  const unit = (name: "hour" | "minute", value: number) =>
    cached(
      name,
      (l) => new Intl.NumberFormat(unitLocale(l), { style: "unit", unit: name, unitDisplay: "short" }),
    ).format(value);
  if (minutes < 60) return unit("minute", minutes);
  const rest = minutes % 60;
  return unit("hour", Math.floor(minutes / 60)) + (rest === 0 ? "" : ` ${unit("minute", rest)}`);
}

/** Formats the time of day. */
export function time(at: string | number | Date): string {
  return cached("time", (l) => new Intl.DateTimeFormat(l, { hour: "numeric", minute: "2-digit" })).format(new Date(at));
}

export function dateTime(at: string | number | Date): string {
  return cached(
    "dateTime",
    (l) => new Intl.DateTimeFormat(l, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }),
  ).format(new Date(at));
}

export function date(at: string | number | Date): string {
  return cached("date", (l) => new Intl.DateTimeFormat(l, { day: "numeric", month: "short", year: "numeric" })).format(
    new Date(at),
  );
}

/** Formats the day of the week, abbreviated. */
export function weekday(at: string | number | Date): string {
  return cached("weekday", (l) => new Intl.DateTimeFormat(l, { weekday: "short" })).format(new Date(at));
}

/** Formats a date such as "3 Mar". */
export function dayOfMonth(at: string | number | Date): string {
  return cached("dayOfMonth", (l) => new Intl.DateTimeFormat(l, { day: "numeric", month: "short" })).format(
    new Date(at),
  );
}

/** Formats an age such as "3 minutes ago"; `now` in milliseconds. */
export function ago(at: string | number | Date, now: number): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000);
  const format = cached("ago", (l) => new Intl.RelativeTimeFormat(l, { numeric: "auto", style: "short" }));
  const size = Math.abs(seconds);
  if (size < 60) return format.format(seconds, "second");
  if (size < 3600) return format.format(Math.round(seconds / 60), "minute");
  if (size < 86_400) return format.format(Math.round(seconds / 3600), "hour");
  return format.format(Math.round(seconds / 86_400), "day");
}
