import { expect, test } from "vitest";
import { choiceOf, periodOf, queryOf } from "../../../src/partners/ui/query";
import { subscriptionOf, type SubscriptionFields } from "../../../src/partners/webhooks/subscription";

const address = (query: string) => new URLSearchParams(query);

test("a list asks for the first page unless the address names another", () => {
  expect(queryOf(address("status=open&page=3"), 20)).toEqual({ limit: 20, page: 3 });
  for (const page of ["", "page=0", "page=-1", "page=first"])
    expect(queryOf(address(page), 20), page).toEqual({ limit: 20, page: 1 });
});

test("days are asked for as moments, and the last one is included", () => {
  expect(queryOf(address("from=2026-03-01&to=2026-03-14"), 20)).toEqual({
    from: new Date(2026, 2, 1).toISOString(),
    to: new Date(2026, 2, 15).toISOString(),
    limit: 20,
    page: 1,
  });
});

test("an address whose day does not exist asks for no day", () => {
  expect(queryOf(address("from=2026-13-01&to=yesterday"), 20)).toEqual({ limit: 20, page: 1 });
});

test("a filter has only values that the service knows", () => {
  const values = ["open", "closed"] as const;
  expect(choiceOf(address("status=closed"), "status", values)).toBe("closed");
  expect(choiceOf(address("status=gone"), "status", values)).toBeUndefined();
  expect(choiceOf(address(""), "status", values)).toBeUndefined();
});

test("a period has only the days that are given, and ends after its last one", () => {
  expect(periodOf(address(""))).toEqual({});
  expect(periodOf(address("to=2026-03-14"))).toEqual({ to: new Date(2026, 2, 15).toISOString() });
});

test("a subscription has thresholds only where they are given", () => {
  const empty: SubscriptionFields = {
    url: " https://club.example/events ",
    events: [],
    eta_below_min: "",
    within_m: "",
    positions_every_s: " ",
  };
  expect(subscriptionOf(empty)).toEqual({ url: "https://club.example/events", events: [] });
  expect(subscriptionOf({ ...empty, events: ["job.arrived"], within_m: "500" })).toEqual({
    url: "https://club.example/events",
    events: ["job.arrived"],
    within_m: 500,
  });
});
