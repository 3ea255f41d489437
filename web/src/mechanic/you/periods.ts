// Periods of the figures, by the days of this phone. Pure.
export type Period = "today" | "week" | "month";

/** The first moment of the period that `at` is in; weeks begin on Monday. */
export function from(period: Period, at: Date): Date {
  const day = new Date(at.getFullYear(), at.getMonth(), period === "month" ? 1 : at.getDate());
  if (period === "week") day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day;
}
