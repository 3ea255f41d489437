// A link's holder decides about, and pays, their own part of a job that an organisation ordered.
import { expect, test } from "vitest";
import { headlineOf } from "../../../src/customer/track/headline";
import { cashStep, hasOwnPart, isDone, type OwnPart } from "../../../src/customer/track/own-part";
import type { SharedJob } from "../../../src/customer/track/shared";

const part = (changes: Partial<OwnPart> = {}): OwnPart => ({
  amount: 0,
  currency: "INR",
  line_items: [],
  is_due: false,
  is_confirmed: false,
  ...changes,
});

test("a job that somebody else pays in full asks its holder for nothing", () => {
  expect(hasOwnPart({ own_part: null })).toBe(false);
  expect(hasOwnPart({ own_part: part() })).toBe(false);
  expect(hasOwnPart({ own_part: part({ amount: 99 }) })).toBe(true);
  expect(hasOwnPart({ own_part: part({ line_items: [{} as OwnPart["line_items"][number]] }) })).toBe(true);
});

test("cash is confirmed once, and only while it is due", () => {
  expect(cashStep(part({ is_confirmed: true }))).toBe("wait");
  expect(cashStep(part({ is_due: true }))).toBe("confirm");
  expect(cashStep(part({ is_due: true, is_confirmed: true }))).toBe("confirmed");
});

test("a link to finished work says so", () => {
  for (const [status, done] of [
    ["in_progress", false],
    ["no_mechanic_found", false],
    ["completed", true],
    ["paid", true],
    ["disputed", true],
  ] as const) {
    const job = { status, mechanic_first_name: null } as SharedJob;
    expect(isDone(job)).toBe(done);
    expect(headlineOf({ state: "live", job }) === "The work is done").toBe(done);
  }
});
