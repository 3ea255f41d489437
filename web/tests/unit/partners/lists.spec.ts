import { expect, test } from "vitest";
import { filtersOf, queryOf, reportQuery } from "../../../src/partners/ui/query";
import { subscriptionOf } from "../../../src/partners/webhooks/subscription";

const address = (query: string) => new URLSearchParams(query);

test("a list asks for its own filters, and for the first page unless the address names another", () => {
  expect(queryOf(address("status=open&q=%20&other=1"), ["status", "q"], 20)).toEqual({
    status: "open",
    limit: 20,
    page: 1,
  });
  expect(queryOf(address("page=3"), [], 20)).toEqual({ limit: 20, page: 3 });
  expect(queryOf(address("page=-1"), [], 20)).toEqual({ limit: 20, page: 1 });
});

test("days are asked for as moments, and the last one is included", () => {
  expect(filtersOf(address("from=2026-03-01&to=2026-03-14"), ["from", "to"])).toEqual({
    from: new Date(2026, 2, 1).toISOString(),
    to: new Date(2026, 2, 15).toISOString(),
  });
});

test("a report without days is about the last thirty", () => {
  const now = new Date(2026, 2, 31, 12);
  expect(reportQuery(address(""), now)).toEqual({
    from: new Date(2026, 2, 1, 12).toISOString(),
    to: now.toISOString(),
  });
  expect(reportQuery(address("to=2026-03-14"), now).to).toBe(new Date(2026, 2, 15).toISOString());
});

test("a subscription has each kind of event once, and thresholds only where they are given", () => {
  const empty = {
    url: " https://club.example/events ",
    events: "",
    eta_below_min: "",
    within_m: "",
    positions_every_s: "",
  };
  expect(subscriptionOf(empty)).toEqual({ url: "https://club.example/events", events: [] });
  expect(subscriptionOf({ ...empty, events: "job.arrived, job.completed\njob.arrived", within_m: "500" })).toEqual({
    url: "https://club.example/events",
    events: ["job.arrived", "job.completed"],
    within_m: 500,
  });
});
