// Numbers that may be missing, as the tables of figures show them.
import { duration, percent } from "$shared/text/format";

export const share = (value: number | null): string => (value === null ? "–" : percent(value));

/** Formats a short time exactly. */
export const seconds = (value: number | undefined): string =>
  value === undefined ? "–" : value < 120 ? `${Math.round(value)} s` : duration(value);
