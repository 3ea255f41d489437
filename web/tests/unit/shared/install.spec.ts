// Notifications: when a page asks to allow them, and what is accepted from one that was tapped.
import { expect, test } from "vitest";
import { asksAgain } from "../../../src/shared/install/asking";
import { isOpened } from "../../../src/shared/install/opened";

const NOW = Date.parse("2026-03-14T08:00:00Z");

test("who said not now is asked again after days, whatever their clock said", () => {
  expect(asksAgain(null, NOW)).toBe(true);
  expect(asksAgain("2026-03-14T07:59:00Z", NOW)).toBe(false);
  expect(asksAgain("2026-03-11T08:00:01Z", NOW)).toBe(false);
  expect(asksAgain("2026-03-11T08:00:00Z", NOW)).toBe(true);
  expect(asksAgain("2027-01-01T00:00:00Z", NOW)).toBe(true);
  expect(asksAgain("yesterday", NOW)).toBe(true);
});

test("a pressed button is taken from an address only if it is a name", () => {
  const tapped = { id: "1", type: "job_offer", data: { offer_id: "a" } };
  expect(isOpened(tapped)).toBe(true);
  expect(isOpened({ ...tapped, action: "accept" })).toBe(true);
  for (const action of ["", "a b", "<b>", 1, null, "x".repeat(65)]) expect(isOpened({ ...tapped, action })).toBe(false);
});
