// What an offer pays for the time that it takes.
import { expect, test } from "vitest";
import { perHour, USUAL_WORK_S, workS } from "../../../src/mechanic/offers/pay";

const offer = { estimated_earnings: 254.15, eta_s: 420, destination: null };
const tow = { lat: 12.93, lng: 77.61, distance_m: 6400, duration_s: 900, workshop_name: null };

test("the pay per hour counts the way, the work and the tow, in tens of rupees", () => {
  expect(perHour(offer, 1500)).toBe(480);
  expect(perHour({ ...offer, destination: tow }, 1500)).toBe(320);
});

test("an offer at the spot with no work at all pays a finite amount per hour", () => {
  expect(perHour({ ...offer, eta_s: 0 }, 0)).toBe(15_250);
});

test("the work takes as long as this mechanic's does, once they have done enough of it", () => {
  expect(workS({ jobs_completed: 25, working_s: 40_000 })).toBe(1600);
  expect(workS({ jobs_completed: 2, working_s: 20 })).toBe(USUAL_WORK_S);
  expect(workS(null)).toBe(USUAL_WORK_S);
});
