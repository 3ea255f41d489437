// An offer to practise with.
import { expect, test } from "vitest";
import { leftMs, leftShare } from "../../../src/mechanic/offers/offers";
import { PRACTICE_S, practiceCategory, practiceOffer } from "../../../src/mechanic/practice/practice";

const tyre = { id: "tyre", name: "Flat tyre", slug: "flat-tyre" };
const tow = { id: "tow", name: "Towing", slug: "towing" };

test("an offer to practise with is open from now on, and ends by itself", () => {
  const now = Date.parse("2026-03-14T08:00:00Z");
  const offer = practiceOffer(tow, now);
  expect([offer.job.service_category_id, leftShare(offer, now)]).toEqual(["tow", 1]);
  expect([leftMs(offer, now), leftMs(offer, now + PRACTICE_S * 1000)]).toEqual([PRACTICE_S * 1000, 0]);
});

test("it is of a kind that the mechanic serves, or else of any", () => {
  expect(practiceCategory([tyre, tow], ["tow"])).toBe(tow);
  expect(practiceCategory([tyre, tow], [])).toBe(tyre);
  expect(practiceCategory([], ["tow"])).toBeNull();
});
