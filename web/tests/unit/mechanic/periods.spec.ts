// Periods of a mechanic's figures, and the bars of their chart.
import { expect, test } from "vitest";
import { barsOf, from, stepS, to } from "../../../src/mechanic/you/periods";

const at = new Date(2026, 2, 14, 13, 45);

test("a period is whole, so that its chart has room for what is still to come", () => {
  expect([from("today", at), to("today", at)]).toEqual([new Date(2026, 2, 14), new Date(2026, 2, 15)]);
  expect([from("week", at), to("week", at)]).toEqual([new Date(2026, 2, 9), new Date(2026, 2, 16)]);
  expect([from("month", at), to("month", at)]).toEqual([new Date(2026, 2, 1), new Date(2026, 3, 1)]);
  expect(to("month", new Date(2026, 11, 31))).toEqual(new Date(2027, 0, 1));
});

test("a day has eight bars, a week seven and a month its days", () => {
  const bars = (period: "today" | "week" | "month") =>
    Math.round((to(period, at).getTime() - from(period, at).getTime()) / 1000 / stepS(period));
  expect([bars("today"), bars("week"), bars("month")]).toEqual([8, 7, 31]);
});

test("bars are shares of the longest, and none is below zero", () => {
  const steps = [100, 400, 0, -50].map((earnings, day) => ({
    from: `2026-03-0${day + 1}T00:00:00Z`,
    jobs: 1,
    earnings,
  }));
  expect(barsOf(steps).map(({ share }) => share)).toEqual([0.25, 1, 0, 0]);
  expect(barsOf(steps.slice(2)).map(({ share }) => share)).toEqual([0, 0]);
});
