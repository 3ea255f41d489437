// Periods of the figures, in days of this phone's time zone. Pure.
import type { Schemas } from "$shared/api/client";
import { dayOfMonth, time, weekday } from "$shared/text/format";

export type Period = "today" | "week" | "month";

/** Returns the first moment of the period that contains `at`; weeks begin on Monday. */
export function from(period: Period, at: Date): Date {
  const day = new Date(at.getFullYear(), at.getMonth(), period === "month" ? 1 : at.getDate());
  if (period === "week") day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day;
}

/** Returns the first moment after the period. */
export function to(period: Period, at: Date): Date {
  const end = from(period, at);
  if (period === "month") end.setMonth(end.getMonth() + 1);
  else end.setDate(end.getDate() + (period === "week" ? 7 : 1));
  return end;
}

/** Returns the length of a bar of the chart in seconds: three hours for a day, a day for the other periods. */
export const stepS = (period: Period): number => (period === "today" ? 3 * 3600 : 86_400);

export interface Bar {
  readonly from: string;
  readonly earnings: number;
  /** Of the longest bar, 0 to 1. Bars that refunds took below zero have 0. */
  readonly share: number;
}

export function barsOf(steps: readonly Schemas["StatsStep"][]): Bar[] {
  const best = Math.max(0, ...steps.map(({ earnings }) => earnings));
  return steps.map(({ from, earnings }) => ({ from, earnings, share: best > 0 ? Math.max(0, earnings / best) : 0 }));
}

/** Returns the label of a bar. */
export function labelOf(period: Period, from: string): string {
  if (period === "today") return time(from);
  return period === "week" ? weekday(from) : dayOfMonth(from);
}
