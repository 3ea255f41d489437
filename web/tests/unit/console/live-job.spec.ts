// The pages of a job: its story, its explanation, its actions; and places and numbers as callers say them. Without a
// browser.
import { expect, test } from "vitest";
import type { Schemas } from "../../../src/shared/api/client";
import {
  alarmsOf,
  columns,
  counted,
  eachOnce,
  groupOf,
  hasAlarm,
  inColumn,
  said,
} from "../../../src/console/jobs/board";
import { actionsOf } from "../../../src/console/jobs/job/actions";
import { directions, pointAt, ring, standing, why } from "../../../src/console/jobs/job/explain";
import { candidates, people, rings } from "../../../src/console/jobs/job/layers";
import { folded, tell } from "../../../src/console/jobs/job/story";
import { readPhone, readPlace } from "../../../src/console/parts/place";
import { choose, rank } from "../../../src/console/shell/find";
import { line } from "../../../src/shared/map/features";

const AT = "2026-03-14T08:00:00.000Z";
const NOW = Date.parse(AT);

const entry = (event: string, by: string, data: Record<string, unknown> = {}, seq = 1) =>
  ({ event, by, data, seq, at: AT, status: "dispatching" }) as unknown as Schemas["TimelineEntry"];

test("the timeline in words", () => {
  expect(tell(entry("created", "admin"))).toBe("Made by an admin for the customer");
  expect(tell(entry("accepted", "mechanic"))).toBe("A mechanic accepted");
  expect(
    tell(entry("accepted", "admin", { overridden_rules: ["vehicle_type"], override_reason: "Knows this van" })),
  ).toBe("Assigned by an admin, although they do not serve this type of vehicle (“Knows this van”)");
  expect(tell(entry("released", "mechanic", { by_mechanic: true, reason_code: "missing_parts" }))).toBe(
    "The mechanic gave the job back: missing parts",
  );
  expect(tell(entry("released", "admin", { by_mechanic: false, reason_code: "admin" }))).toBe(
    "An admin took the job from the mechanic",
  );
  expect(tell(entry("cancelled", "customer", { reason_code: "wait_too_long" }))).toBe(
    "Cancelled by the customer: wait too long",
  );
  expect(tell(entry("delayed", "system", { concern: "stalled" }))).toBe("Concern: not moving");
  expect(tell(entry("something_new", "system"))).toBe("Something new");
  expect(
    folded([
      entry("payment", "customer", {}, 1),
      entry("payment", "system", {}, 2),
      entry("paid", "system", {}, 3),
    ]).map(({ seq }) => seq),
  ).toEqual([2, 3]);
});

function job(change: Partial<Schemas["JobForAdmin"]>): Schemas["JobForAdmin"] {
  return {
    id: "1",
    status: "dispatching",
    created_at: AT,
    updated_at: AT,
    scheduled_for: null,
    callback: null,
    concern: null,
    promised_at: null,
    accepted_at: AT,
    en_route_at: null,
    ...change,
  } as Schemas["JobForAdmin"];
}

test("alarms, and the order of a column", () => {
  expect(alarmsOf(job({}), NOW)).toEqual([]);
  expect(alarmsOf(job({}), NOW + 601_000)).toEqual(["waiting"]);
  expect(alarmsOf(job({ status: "en_route", promised_at: AT, concern: "dark" }), NOW + 119_000)).toEqual(["concern"]);
  expect(alarmsOf(job({ status: "en_route", promised_at: AT, concern: "dark" }), NOW + 121_000)).toEqual([
    "concern",
    "late",
  ]);
  expect(said(job({ concern: "dark" }), "concern")).toBe("No position received");
  expect(alarmsOf(job({ callback: { requested_at: AT, done_at: null, note: null, outcome: null } }), NOW)).toEqual([
    "callback",
  ]);
  const [search] = columns;
  if (!search) throw new Error("there are no columns");
  const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
  const jobs = [
    job({ id: "new", created_at: at(60) }),
    job({ id: "old", created_at: at(0) }),
    job({ id: "failed", status: "no_mechanic_found", updated_at: at(90) }),
    job({ id: "paid", status: "paid" }),
  ];
  expect(inColumn(search, jobs, NOW + 100_000).map(({ id }) => id)).toEqual(["old", "new", "failed"]);
  expect(counted(search, jobs)).toBe(2);
  expect([groupOf("dispatching"), groupOf("no_mechanic_found")]).toEqual(["search", "none"]);
});

test("a mechanic who should have been there is a concern, as in the header's count", () => {
  const late = job({ status: "en_route", promised_at: AT });
  const concerned = job({ status: "en_route", concern: "dark" });
  const at = NOW + 240_000;
  const concerns = [late, concerned, job({ status: "en_route" }), job({})].filter((one) =>
    hasAlarm(one, "concern", at),
  );
  expect(concerns).toEqual([late, concerned]);
  expect([hasAlarm(late, "late", at), hasAlarm(concerned, "late", at), hasAlarm(late, "any", at)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(hasAlarm(late, "concern", NOW + 60_000)).toBe(false);
});

test("what can be done depends on the status", () => {
  expect(actionsOf({ status: "dispatching", cancellation_fee: null })).toEqual(["assign", "cancel"]);
  expect(actionsOf({ status: "no_mechanic_found", cancellation_fee: null })).toEqual(["retry", "assign", "cancel"]);
  expect(actionsOf({ status: "en_route", cancellation_fee: null })).toEqual(["reassign", "cancel"]);
  expect(actionsOf({ status: "disputed", cancellation_fee: null })).toEqual(["resolve"]);
  expect(actionsOf({ status: "cancelled", cancellation_fee: 0 })).toEqual([]);
  expect(actionsOf({ status: "cancelled", cancellation_fee: 100 })).toEqual(["waive"]);
  expect(actionsOf({ status: "paid", cancellation_fee: null })).toEqual([]);
});

test("a candidate's outcome, reason, place and direction", () => {
  const candidate = (change: Partial<Schemas["DispatchCandidate"]>) =>
    ({
      mechanic_profile_id: "m",
      name: "Ravi",
      distance_m: 1000,
      verdict: "passed",
      reason: "costs_more",
      with_job_id: null,
      terms: null,
      note: null,
      offer: null,
      ...change,
    }) as Schemas["DispatchCandidate"];
  expect(why(candidate({}))).toBe("Another mechanic costs less in all");
  const declined = candidate({
    verdict: "offered",
    reason: null,
    offer: { id: "o", status: "declined", settled_at: AT, decline_reason: "Too far" },
  });
  expect([standing(declined), why(declined)]).toEqual(["declined", "Declined: “Too far”"]);
  const here = { lat: 12.97, lng: 77.59 };
  const north = pointAt(here, 1000, 0);
  expect((north.lat - here.lat) * 111_195).toBeCloseTo(1000, 0);
  expect(north.lng).toBeCloseTo(here.lng, 9);
  const outline = ring(here, 3000, 4);
  expect(outline).toHaveLength(5);
  expect(outline[0]).toEqual(outline[4]);
  const decision = (ids: string[]) =>
    ({ considered: ids.map((id) => candidate({ mechanic_profile_id: id })) }) as Schemas["DispatchDecision"];
  const places = directions([decision(["a", "b"]), decision(["b", "c"])]);
  expect([...places.keys()]).toEqual(["a", "b", "c"]);
  expect(new Set(places.values()).size).toBe(3);
});

test("coordinates and phone numbers as people give them", () => {
  expect(readPlace("12.9716, 77.5946")).toEqual({ lat: 12.9716, lng: 77.5946 });
  expect(readPlace("https://maps.example/place/@12.97,77.59,15z")).toEqual({ lat: 12.97, lng: 77.59 });
  expect(readPlace("https://maps.example/?q=12.97,77.59")).toEqual({ lat: 12.97, lng: 77.59 });
  const degrees = readPlace("12°58'17.8\"N 77°35'40.6\"E");
  expect(degrees?.lat).toBeCloseTo(12.97161, 4);
  expect(degrees?.lng).toBeCloseTo(77.59461, 4);
  for (const wrong of ["MG Road", "12.97", "112.97, 77.59", "12.97, 277.59"])
    expect(readPlace(wrong), wrong).toBeNull();
  expect(readPhone("98765 43210", "+91")).toBe("+919876543210");
  expect(readPhone("098765-43210", "+91")).toBe("+919876543210");
  expect(readPhone("0044 20 7946 0958", "+91")).toBe("+442079460958");
  expect(readPhone("43210", "+91")).toBeNull();
});

test("the palette finds by the beginnings of words, the best first", () => {
  expect(rank("Live map", "li ma")).not.toBeNull();
  expect(rank("Live map", "ap")).toBeNull();
  const entry = (title: string, words = "") => ({ id: title, group: "", title, words });
  expect(choose([entry("Payments", "refund"), entry("Refunds")], "ref").map(({ title }) => title)).toEqual([
    "Refunds",
    "Payments",
  ]);
});

test("the map of a decision has the rings up to its own, and a line from whoever has an offer", () => {
  const pickup = { lat: 12.97, lng: 77.59 };
  expect(rings(pickup, [5, 10, 30], 10).map(({ properties }) => properties)).toEqual([{ now: 0 }, { now: 1 }]);
  const considered = [
    { mechanic_profile_id: "a", distance_m: 900, verdict: "offered", offer: { status: "expired" } },
    { mechanic_profile_id: "b", distance_m: 1200, verdict: "passed", offer: null },
  ] as unknown as Schemas["DispatchCandidate"][];
  const { points, lines } = candidates(pickup, considered, new Map([["a", 90]]), "b", "light");
  expect(points.map(({ properties }) => [properties?.["id"], properties?.["hollow"], properties?.["chosen"]])).toEqual([
    ["a", 1, 0],
    ["b", 0, 1],
  ]);
  expect(lines.length).toBe(1);
  expect(people(pickup, null, null, "dark").length).toBe(1);
  expect(line([[77.59, 12.97]])).toEqual([]);
});

test("a job that moved while lists were read is on the board once, as it was last", () => {
  const job = (status: Schemas["JobStatus"], seq: number) => ({ id: "a", status, seq }) as Schemas["JobForAdmin"];
  const other = { id: "b", status: "dispatching", seq: 1 } as Schemas["JobForAdmin"];
  const [sought, given] = [job("dispatching", 4), job("no_mechanic_found", 5)];
  expect(eachOnce([sought, other, given])).toEqual([given, other]);
  expect(eachOnce([given, sought, other])).toEqual([given, other]);
});
