import { expect, test } from "vitest";
import { keyState } from "../../../src/shared/partners/keys";
import {
  isExtensible,
  openOffers,
  promiseView,
  secondsLeft,
  sumsOf,
  undecided,
} from "../../../src/shared/partners/rules";
import type { PartnerApproval, PartnerJob, PartnerPromise } from "../../../src/shared/partners/types";

const at = (time: string) => `2026-03-14T${time}:00.000Z`;
const ms = (time: string) => Date.parse(at(time));

const promise = (changes: Partial<PartnerPromise> = {}): PartnerPromise => ({
  state: "accepted",
  at: at("09:00"),
  extended: null,
  missed: false,
  ...changes,
});
const view = (changes: Partial<PartnerPromise>, now: string, arrived: string | null = null) =>
  promiseView({ promise: promise(changes), arrived_at: arrived === null ? null : at(arrived) }, ms(now)).view;

test("a promise is due until its minute, and missed afterwards unless somebody arrived in time", () => {
  expect(view({}, "08:59")).toBe("due");
  expect(view({}, "09:00")).toBe("due");
  expect(view({}, "09:01")).toBe("missed");
  expect(view({}, "09:30", "08:58")).toBe("kept");
  expect(view({}, "09:30", "09:02")).toBe("missed");
});

test("an extension moves the promise, and what the service found missed stays missed", () => {
  const extended = { at: at("09:20"), reason: "Heavy traffic." };
  expect(view({ extended }, "09:10")).toBe("due");
  expect(view({ extended }, "09:30", "09:15")).toBe("kept");
  expect(view({ extended, missed: true }, "09:10")).toBe("missed");
  expect(promiseView({ promise: promise({ extended }), arrived_at: null }, ms("09:00")).at).toBe(extended.at);
});

test("a proposed promise waits for the partner, and a refused one or none has no time", () => {
  expect(view({ state: "proposed" }, "08:59")).toBe("to_decide");
  for (const state of ["refused", "none"] as const) {
    const judged = promiseView({ promise: promise({ state }), arrived_at: null }, ms("08:59"));
    expect(judged).toEqual({ view: state, at: null });
  }
});

test("a promise is extended only while somebody is still on their way", () => {
  const job = { status: "en_route", arrived_at: null, promise: promise() } as PartnerJob;
  expect(isExtensible(job)).toBe(true);
  expect(isExtensible({ ...job, status: "accepted" })).toBe(true);
  expect(isExtensible({ ...job, status: "arrived", arrived_at: at("08:50") })).toBe(false);
  expect(isExtensible({ ...job, status: "cancelled" })).toBe(false);
  expect(isExtensible({ ...job, promise: promise({ state: "refused" }) })).toBe(false);
});

test("only offers that can still be answered are open, the most urgent first", () => {
  const offer = (id: string, status: "offered" | "refused", until: string) => ({
    id,
    status,
    offered_until: at(until),
  });
  const offers = [
    offer("later", "offered", "09:02"),
    offer("over", "offered", "09:00"),
    offer("no", "refused", "09:05"),
    offer("soon", "offered", "09:01"),
  ];
  expect(openOffers(offers, ms("09:00")).map(({ id }) => id)).toEqual(["soon", "later"]);
});

test("the time that is left is counted in whole seconds and never below none", () => {
  expect(secondsLeft("2026-03-14T09:00:01.200Z", ms("09:00"))).toBe(2);
  expect(secondsLeft(at("09:00"), ms("09:00"))).toBe(0);
  expect(secondsLeft(at("08:00"), ms("09:00"))).toBe(0);
  expect(secondsLeft(null, ms("09:00"))).toBe(0);
});

test("extra work that is decided, or no longer proposed, asks for nothing", () => {
  const approval = (id: string, due: string, changes: Partial<PartnerApproval> = {}) =>
    ({ item: { id, status: "proposed" }, due_at: at(due), decided_at: null, ...changes }) as PartnerApproval;
  const withdrawn = approval("withdrawn", "09:00");
  withdrawn.item.status = "withdrawn";
  const open = [approval("late", "09:10"), approval("early", "09:05")];
  const all = [...open, withdrawn, approval("decided", "09:00", { decided_at: at("08:59") })];
  expect(undecided(all).map(({ item }) => item.id)).toEqual(["early", "late"]);
});

test("bills add up to the paisa", () => {
  const bill = { price: 0.1, payable: 0.2, driver: 1234.56 };
  expect(sumsOf([bill, bill, bill])).toEqual({ price: 0.3, payable: 0.6, driver: 3703.68 });
  expect(sumsOf([])).toEqual({ price: 0, payable: 0, driver: 0 });
});

test("a key that is replaced works until it expires, and a revoked one at no time", () => {
  const key = { revoked_at: null, replaced_by: null, expires_at: at("10:00") };
  expect(keyState(key, ms("09:00"))).toBe("active");
  expect(keyState({ ...key, replaced_by: "the next" }, ms("09:00"))).toBe("ending");
  expect(keyState(key, ms("10:00"))).toBe("expired");
  expect(keyState({ ...key, revoked_at: at("08:00") }, ms("09:00"))).toBe("revoked");
});
