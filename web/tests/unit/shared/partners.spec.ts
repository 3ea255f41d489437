import { expect, test } from "vitest";
import type { Schemas } from "../../../src/shared/api/client";
import {
  isExtensible,
  openOffers,
  pauseBeforeLook,
  promiseView,
  secondsLeft,
  sumsOf,
  undecided,
} from "../../../src/shared/partners/rules";

const at = (time: string) => `2026-03-14T${time}:00.000Z`;
const ms = (time: string) => Date.parse(at(time));

const promise = (changes: Partial<Schemas["SnapshotPromise"]> = {}): Schemas["SnapshotPromise"] => ({
  state: "accepted",
  at: at("09:00"),
  extended_at: null,
  extension_reason: null,
  missed_at: null,
  ...changes,
});
const view = (
  changes: Partial<Schemas["SnapshotPromise"]>,
  arrived: string | null = null,
  status: Schemas["JobStatus"] = "en_route",
) => promiseView({ promise: promise(changes), arrived_at: arrived === null ? null : at(arrived), status }).view;

test("a promise is due until somebody arrives, and kept if that was in time", () => {
  expect(view({})).toBe("due");
  expect(view({}, "08:58")).toBe("kept");
  expect(view({}, "09:02")).toBe("missed");
});

test("a promise that the service found broken stays missed", () => {
  expect(view({ missed_at: at("09:00") })).toBe("missed");
  expect(view({ missed_at: at("09:00") }, "09:05")).toBe("missed");
});

test("a job that ended before the arrival promises nothing any more", () => {
  for (const status of ["cancelled", "no_mechanic_found", "completed"] as const) {
    expect(view({}, null, status), status).toBe("none");
    expect(view({ state: "proposed" }, null, status), status).toBe("none");
  }
  expect(view({ missed_at: at("09:00") }, null, "cancelled")).toBe("missed");
  expect(view({}, "08:58", "cancelled")).toBe("kept");
});

test("a proposed promise waits for the partner, and a refused one or none has no time", () => {
  expect(view({ state: "proposed" })).toBe("to_decide");
  for (const state of ["refused", "none"] as const) {
    const judged = promiseView({ promise: promise({ state }), arrived_at: null, status: "dispatching" });
    expect(judged).toEqual({ view: state, at: null });
  }
});

test("a promise is extended only while it is unbroken and the mechanic is on the way", () => {
  const job = { status: "en_route", arrived_at: null, promise: promise() } as const;
  expect(isExtensible(job)).toBe(true);
  expect(isExtensible({ ...job, status: "accepted" })).toBe(true);
  expect(isExtensible({ ...job, status: "arrived", arrived_at: at("08:50") })).toBe(false);
  expect(isExtensible({ ...job, status: "cancelled" })).toBe(false);
  expect(isExtensible({ ...job, promise: promise({ state: "refused" }) })).toBe(false);
  expect(isExtensible({ ...job, promise: promise({ missed_at: at("09:00") }) })).toBe(false);
});

test("only offers that dispatchers can still answer are open, the most urgent first", () => {
  const offer = (id: string, stage: Schemas["ClubStage"], until: string) => ({
    id,
    offer: { stage, offered_until: at(until) },
  });
  const offers = [
    offer("later", "call_asked", "09:02"),
    offer("over", "waiting", "09:00"),
    offer("the club's turn", "accepted", "09:05"),
    offer("soon", "waiting", "09:01"),
  ];
  expect(openOffers(offers, ms("09:00")).map(({ id }) => id)).toEqual(["soon", "later"]);
});

test("the time that is left is counted in whole seconds and never below none", () => {
  expect(secondsLeft("2026-03-14T09:00:01.200Z", ms("09:00"))).toBe(2);
  expect(secondsLeft(at("09:00"), ms("09:00"))).toBe(0);
  expect(secondsLeft(at("08:00"), ms("09:00"))).toBe(0);
  expect(secondsLeft(null, ms("09:00"))).toBe(0);
});

test("extra work that is decided, or left to the person who is helped, does not wait for the partner", () => {
  const item = (id: string, decide_by: string | null, status: Schemas["LineItemStatus"] = "proposed") => ({
    id,
    status,
    decide_by: decide_by === null ? null : at(decide_by),
  });
  const all = [
    item("late", "09:10"),
    item("early", "09:05"),
    item("decided", "09:00", "approved"),
    item("theirs", null),
  ];
  expect(undecided(all).map(({ id }) => id)).toEqual(["early", "late"]);
});

test("bills add up to the paisa", () => {
  const bill = { price: 0.1, payable: 0.2, driver_pays: 1234.56 };
  expect(sumsOf([bill, bill, bill])).toEqual({ price: 0.3, payable: 0.6, driver_pays: 3703.68 });
  expect(sumsOf([])).toEqual({ price: 0, payable: 0, driver_pays: 0 });
});

test("a case is looked at often until it is closed and billed, seldom until it is paid, and then no more", () => {
  const bill: Schemas["SnapshotBill"] = { outcome: "completed", price: 650, payable: 400, driver_pays: 250 };
  const pause = (status: Schemas["CaseStatus"], ...jobs: [Schemas["JobStatus"], boolean][]) =>
    pauseBeforeLook({ status, jobs: jobs.map(([status, isBilled]) => ({ status, bill: isBilled ? bill : null })) });
  const usual = pauseBeforeLook(null);
  expect(usual).toBe(5_000);
  expect(pause("offered")).toBe(usual);
  expect(pause("open")).toBe(usual);
  expect(pause("open", ["paid", true])).toBe(usual);
  expect(pause("closed", ["paid", true], ["cancelled", false])).toBe(usual);
  for (const status of ["completed", "disputed", "resolved"] as const)
    expect(pause("closed", ["paid", true], [status, true]), status).toBe(60_000);
  expect(pause("closed", ["paid", true], ["cancelled", true])).toBeNull();
  for (const status of ["refused", "expired", "withdrawn"] as const) expect(pause(status), status).toBeNull();
});
