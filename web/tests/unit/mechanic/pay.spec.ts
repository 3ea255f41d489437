// The pay of an offer in relation to its time.
import { expect, test } from "vitest";
import type { Offer } from "../../../src/mechanic/offers/offers";
import { perHour, workS } from "../../../src/mechanic/offers/pay";

const tow = { lat: 12.93, lng: 77.61, distance_m: 6400, duration_s: 900, workshop_name: null };
const offer = (destination: Offer["destination"], category = "tyre") => ({
  destination,
  job: { service_category_id: category } as Offer["job"],
});
const categories = [
  { id: "tyre", estimated_duration_min: 30 },
  { id: "tow", estimated_duration_min: 60 },
];

test("the pay per hour counts the way and the work, in tens of rupees", () => {
  expect(perHour({ estimated_earnings: 254.15, eta_s: 420 }, 1800)).toBe(410);
  expect(perHour({ estimated_earnings: 254.15, eta_s: 0 }, 1800)).toBe(510);
});

test("the work takes what such work usually takes, and a long tow as long as it is", () => {
  expect(workS(offer(null), categories)).toBe(1800);
  expect(workS(offer(tow, "tow"), categories)).toBe(3600);
  expect(workS(offer({ ...tow, duration_s: 5400 }, "tow"), categories)).toBe(6300);
  expect(workS(offer(null, "unknown"), categories)).toBeNull();
});
