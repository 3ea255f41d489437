// An organisation's notes about its job, in the mechanic's words.
import { expect, test } from "vitest";
import { hidesPrices, placeLines, vehicleLine, type Partner } from "../../../src/mechanic/ui/partner";

const unknown: Partner = {
  name: "Bharat Insurance",
  case_id: null,
  purchase_order: null,
  photos_required: 0,
  shows_prices: false,
  earnings: 215.38,
  driver_pays: null,
  notes_for_mechanic: null,
  location_type: null,
  clearance_cm: null,
  keys_at: null,
  is_attended: null,
  vehicle: { vin: null, odometer_km: null, fuel: null, drive: null, weight_kg: null },
  pickup_contact: null,
  dropoff_contact: null,
};

test("only what is known about the place and the vehicle is said", () => {
  expect(placeLines(unknown)).toEqual([]);
  expect(vehicleLine(unknown)).toBe("");
  const basement = { ...unknown, location_type: "basement", clearance_cm: 190 };
  expect(placeLines({ ...basement, is_attended: false, keys_at: "At the desk" })).toEqual([
    "In a basement",
    "Entrance 190 cm high",
    "Nobody is with the vehicle",
    "Keys: At the desk",
  ]);
  const elsewhere = { ...unknown, location_type: "other", is_attended: true };
  expect(placeLines(elsewhere)).toEqual(["Somebody is with the vehicle"]);
  const vehicle = { ...unknown.vehicle, vin: "MA3ERLF1S00123456", fuel: "diesel", weight_kg: 1450 };
  expect(vehicleLine({ vehicle })).toBe("MA3ERLF1S00123456 · diesel · 1450 kg");
});

test("prices are hidden only where an organisation hides them", () => {
  expect(hidesPrices(unknown)).toBe(true);
  expect(hidesPrices({ ...unknown, shows_prices: true })).toBe(false);
  expect(hidesPrices(null)).toBe(false);
  expect(hidesPrices(undefined)).toBe(false);
});
