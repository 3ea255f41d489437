// Periods of the figures, by the days of this phone. Pure.
import type { Schemas } from "$shared/api/client";
import { dayOfMonth, time, weekday } from "$shared/text/format";

export type Period = "today" | "week" | "month";

/** The first moment of the period that `at` is in; weeks begin on Monday. */
export function from(period: Period, at: Date): Date {
  const day = new Date(at.getFullYear(), at.getMonth(), period === "month" ? 1 : at.getDate());
  if (period === "week") day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day;
}

/** The first moment after it. */
export function to(period: Period, at: Date): Date {
  const end = from(period, at);
  if (period === "month") end.setMonth(end.getMonth() + 1);
  else end.setDate(end.getDate() + (period === "week" ? 7 : 1));
  return end;
}

/** How long each bar of its chart is, in seconds: three hours of a day, a day of the others. */
export const stepS = (period: Period): number => (period === "today" ? 3 * 3600 : 86_400);

export interface Bar {
  readonly from: string;
  readonly earnings: number;
  /** Of the longest bar, 0 to 1. What refunds took below zero has none. */
  readonly share: number;
}

export function barsOf(steps: readonly Schemas["StatsStep"][]): Bar[] {
  const best = Math.max(0, ...steps.map(({ earnings }) => earnings));
  return steps.map(({ from, earnings }) => ({ from, earnings, share: best > 0 ? Math.max(0, earnings / best) : 0 }));
}

/** What a bar is called. */
export function labelOf(period: Period, from: string): string {
  if (period === "today") return time(from);
  return period === "week" ? weekday(from) : dayOfMonth(from);
}
