// Rules of the customer's app that need no page.
import { expect, test } from "vitest";
import { isUnderWay } from "../../../src/customer/home/open";
import { ended, waiting } from "../../../src/customer/job/outlook";
import { stage } from "../../../src/customer/money/stage";
import { headline } from "../../../src/customer/job/headline";
import { pricePart, status } from "../../../src/customer/ui/names";
import type { Schemas } from "../../../src/shared/api/client";
import { distance } from "../../../src/shared/text/format";
import {
  after,
  body,
  changed,
  empty,
  faultOfOther,
  PLACE_LASTS_MS,
  revive,
  type Draft,
} from "../../../src/customer/request/draft";
import { duration } from "../../../src/shared/text/format";
import { locales, overwriteGetLocale } from "../../../src/words/runtime.js";
import { lacksDestination } from "../../../src/shared/destination/destination";
import { age, arrivesAtMs } from "../../../src/shared/job/whereabouts";
import { headlineOf } from "../../../src/customer/track/headline";
import { look, nothing, type SharedJob } from "../../../src/customer/track/shared";

const NOW = Date.parse("2026-03-14T08:40:00Z");
const draft = (changes: Partial<Draft> = {}): Draft => ({
  ...empty(NOW, "key"),
  vehicleId: "v",
  categoryId: "c",
  place: { lat: 12.97161, lng: 77.594 },
  ...changes,
});

test("a place without words has its coordinates as the address", () => {
  expect(body(draft())?.pickup_address).toBe("12.97161, 77.59400");
  expect(body(draft({ address: "  Blue gate " }))?.pickup_address).toBe("Blue gate");
});

test("a single word is no address: the coordinates come with it", () => {
  expect(body(draft({ address: " Home " }))?.pickup_address).toBe("Home (12.97161, 77.59400)");
  expect(body(draft({ address: "12,Hosur" }))?.pickup_address).toBe("12,Hosur");
});

test("what was said of one problem does not go with another one", () => {
  const told = draft({ description: "The left front tyre", photoUrls: ["https://files.example.com/tyre.jpg"] });
  expect(changed(told, { categoryId: "towing" })).toMatchObject({ description: "", photoUrls: [] });
  expect(changed(told, { categoryId: "c", vehicleId: "w" })).toMatchObject({ description: "The left front tyre" });
  expect(changed({ ...told, categoryId: null }, { categoryId: "c" }).description).toBe("The left front tyre");
  expect(changed(told, { categoryId: "towing", description: "It won't start" }).description).toBe("It won't start");
});

test("a draft that lacks something is no request", () => {
  expect(body(draft({ vehicleId: null }))).toBeNull();
  expect(body(draft({ categoryId: null }))).toBeNull();
  expect(body(draft({ place: null }))).toBeNull();
});

test("what was written for somebody else counts only if it is for somebody else", () => {
  const other = { otherName: "Meera", otherPhone: "98765 43210", contact: "both" } as const;
  expect(body(draft(other))).not.toHaveProperty("beneficiary_name");
  expect(body(draft({ ...other, isForOther: true }))).toMatchObject({
    beneficiary_name: "Meera",
    beneficiary_phone: "98765 43210",
    contact_preference: "both",
  });
  expect(faultOfOther(draft({ isForOther: true }))).toBe("name");
  expect(faultOfOther(draft({ ...other, isForOther: true, otherPhone: " " }))).toBe("phone");
  expect(faultOfOther(draft({ ...other, isForOther: true, otherPhone: "", contact: "booker" }))).toBeNull();
});

const workshop = { workshopId: "w", name: "Hosur Motors", address: "12 Hosur Road", lat: 12.91, lng: 77.63 };

test("where the vehicle goes counts for help that takes it somewhere", () => {
  const towed = draft({ destination: workshop, receiverName: " Suresh ", receiverPhone: " " });
  expect(body(towed, { destination: "optional" })?.destination).toEqual({ workshop_id: "w", receiver_name: "Suresh" });
  expect(body(towed, { destination: "none" })).not.toHaveProperty("destination");
  expect(body(towed)).not.toHaveProperty("destination");
  const elsewhere = { workshopId: null, name: null, address: "Home", lat: 12.9, lng: 77.6 };
  expect(body(draft({ destination: elsewhere }), { destination: "required" })?.destination).toEqual({
    address: "Home",
    lat: 12.9,
    lng: 77.6,
  });
});

test("it is asked for where it is needed, and may be left to the mechanic where it is not", () => {
  expect(lacksDestination(draft(), { destination: "none" })).toBe(false);
  expect(lacksDestination(draft(), { destination: "optional" })).toBe(true);
  expect(lacksDestination(draft({ isDestinationLater: true }), { destination: "optional" })).toBe(false);
  expect(lacksDestination(draft({ isDestinationLater: true }), { destination: "required" })).toBe(true);
  expect(lacksDestination(draft({ destination: workshop }), { destination: "required" })).toBe(false);
  const garage = (destination: "none" | "optional", vehicle: unknown) => ({
    category: () => ({ destination }),
    vehicle: () => vehicle,
  });
  expect(after("place", draft(), garage("optional", {}))).toBe("/request/destination");
  expect(after("place", draft(), garage("none", {}))).toBe("/request/price");
  expect(after("destination", draft(), garage("optional", null))).toBe("/request/vehicle");
});

test("a tow says in one line how far it is", () => {
  const job = (change: object) =>
    ({
      status: "in_progress",
      mechanic_first_name: "Ravi",
      outcome: null,
      loaded_at: null,
      destination: { workshop_name: "Hosur Motors", address: "12 Hosur Road" },
      ...change,
    }) as Schemas["Job"];
  const loaded_at = "2026-03-14T08:00:00Z";
  expect(headline(job({ destination: null }))).toBe("Ravi is working on your vehicle");
  expect(headline(job({}))).toBe("Ravi is loading your vehicle");
  expect(headline(job({ loaded_at }))).toBe("Your vehicle is on its way to Hosur Motors");
  const home = { workshop_name: null, address: "12 Hosur Road" };
  expect(headline(job({ loaded_at, destination: home }))).toBe("Your vehicle is on its way");
  const done = { status: "completed", outcome: "towed", loaded_at };
  expect(headline(job(done))).toBe("Your vehicle is at Hosur Motors");
  expect(headline(job({ ...done, destination: home }))).toBe("Your vehicle has arrived");
  expect(headline(job({ status: "completed", outcome: "needs_tow" }))).toBe("Your vehicle needs a tow");
  expect(status(job({}))).toBe("Working");
  expect(status(job({ loaded_at }))).toBe("Being towed");
});

test("the way with the vehicle is a part of the price of its own", () => {
  expect(pricePart("destination_price", { distance_m: 7200 })).toBe(`Tow of ${distance(7200)}`);
  expect(pricePart("base_price", { distance_m: 7200 })).not.toContain("Tow");
});

test("once the pin is elsewhere, the address of the old place is gone, unless somebody typed it", () => {
  const elsewhere = { place: { lat: 12.98, lng: 77.6 } };
  const found = draft({ address: "MG Road", foundAddress: "MG Road" });
  expect(changed(found, elsewhere)).toMatchObject({ ...elsewhere, address: "", foundAddress: "" });
  expect(changed(found, { place: { lat: 12.97161, lng: 77.594 } })).toMatchObject({ address: "MG Road" });
  expect(changed(found, { ...elsewhere, address: "Toit", foundAddress: "Toit" })).toMatchObject({ address: "Toit" });
  const typed = draft({ address: "Blue gate", foundAddress: "MG Road" });
  expect(changed(typed, elsewhere)).toMatchObject({ ...elsewhere, address: "Blue gate" });
  expect(changed(found, { address: "" })).toMatchObject({ address: "" });
});

test("a draft survives a reload with its key, but a place does not last for ever", () => {
  const kept = JSON.stringify(draft({ address: "Blue gate", description: "rear tyre" }));
  expect(revive(kept, NOW + 60_000, "other")).toMatchObject({
    key: "key",
    address: "Blue gate",
    place: { lat: 12.97161 },
  });
  expect(revive(kept, NOW + PLACE_LASTS_MS, "other")).toMatchObject({
    address: "",
    place: null,
    description: "rear tyre",
  });
  expect(revive(kept, NOW + 25 * 3_600_000, "other")).toEqual(empty(NOW + 25 * 3_600_000, "other"));
  expect(revive("{broken", NOW, "other")).toEqual(empty(NOW, "other"));
});

test("an outlook is put into words that promise no more than it says", () => {
  const outlook = {
    expected_wait_s: 600,
    chance_in_time_percent: 95,
    in_time_s: 1800,
    reason: "free",
    is_held: false,
    is_served: true,
  } as const;
  expect(waiting(outlook)).toEqual({ text: `A mechanic should be with you in about ${duration(600)}.`, isBad: false });
  expect(waiting({ ...outlook, expected_wait_s: 2400 }).text).toBe(
    `A mechanic will probably be with you within ${duration(1800)}.`,
  );
  expect(waiting({ ...outlook, chance_in_time_percent: 60 }).text).toContain("probably take about 10 min");
  expect(waiting({ ...outlook, chance_in_time_percent: 25 })).toEqual({
    text: `Help within ${duration(1800)} is unlikely. Expect about ${duration(600)}.`,
    isBad: true,
  });
});

test("only the busy are called busy, only those asked are called asked; a figure only if a mechanic could come", () => {
  const REASONS = ["free", "held", "busy", "declined", "out_of_reach", "no_skill", "nobody_online"] as const;
  try {
    for (const locale of locales) {
      overwriteGetLocale(() => locale);
      const outlook = {
        expected_wait_s: 2160,
        chance_in_time_percent: 50,
        in_time_s: 1800,
        is_held: false,
        is_served: true,
      } as const;
      const texts = REASONS.map((reason) => waiting({ ...outlook, reason }).text);
      const ends = [...REASONS.map((reason) => ended({ ...outlook, reason })), ended(null)];
      expect(new Set(texts).size, locale).toBe(REASONS.length);
      expect(new Set(ends).size, locale).toBe(REASONS.length + 1);
      expect(
        texts.map((text) => /\d/.test(text)),
        locale,
      ).toEqual([true, true, true, false, false, false, false]);
    }
    overwriteGetLocale(() => "en");
    for (const reason of REASONS) {
      const said = [
        waiting({
          expected_wait_s: 600,
          chance_in_time_percent: 50,
          in_time_s: 1800,
          reason,
          is_held: false,
          is_served: true,
        }).text,
        ended({
          expected_wait_s: null,
          chance_in_time_percent: 0,
          in_time_s: 1800,
          reason,
          is_held: false,
          is_served: false,
        }),
      ].join(" ");
      expect(said.includes("busy"), reason).toBe(reason === "busy");
      expect(said.includes("asked"), reason).toBe(reason === "declined");
    }
  } finally {
    overwriteGetLocale(() => "en");
  }
});

test("where a mechanic had the job and left, nobody is told that none took it", () => {
  const outlook = {
    expected_wait_s: null,
    chance_in_time_percent: 10,
    in_time_s: 1800,
    reason: "declined",
    is_held: false,
    is_served: true,
  } as const;
  for (const locale of locales) {
    overwriteGetLocale(() => locale);
    expect(waiting(outlook, true).text, locale).not.toBe(waiting(outlook).text);
    expect(waiting(outlook).text.length, locale).toBeGreaterThan(waiting(outlook, true).text.length);
    expect(ended(outlook, true), locale).toBe(ended(null));
  }
  overwriteGetLocale(() => "en");
  expect(waiting(outlook, true).text).toBe("We are looking for another mechanic.");
  // Any other reason is still valid.
  expect(waiting({ ...outlook, reason: "nobody_online" }, true)).toEqual(
    waiting({ ...outlook, reason: "nobody_online" }),
  );
});

test("a job for next week does not take over the start of the app", () => {
  expect(isUnderWay({ status: "pending", scheduled_for: "2026-03-20T08:00:00Z" })).toBe(false);
  expect(isUnderWay({ status: "pending", scheduled_for: null })).toBe(true);
  expect(isUnderWay({ status: "dispatching", scheduled_for: "2026-03-20T08:00:00Z" })).toBe(true);
  expect(isUnderWay({ status: "no_mechanic_found", scheduled_for: null })).toBe(false);
});

test("a payment's page says how far it is", () => {
  const payment = {
    status: "created",
    is_open: true,
    channel: "online",
    failure: null,
    cash_confirmed_by_customer_at: null,
  } as Parameters<typeof stage>[0] & object;
  expect(stage(null)).toBe("choose");
  expect(stage(payment)).toBe("checkout");
  expect(stage({ ...payment, failure: "declined" })).toBe("failed");
  expect(stage({ ...payment, status: "authorized" })).toBe("processing");
  expect(stage({ ...payment, status: "captured", is_open: false })).toBe("paid");
  expect(stage({ ...payment, status: "refunded", is_open: false })).toBe("paid");
  expect(stage({ ...payment, status: "failed", is_open: false })).toBe("choose");
  expect(stage({ ...payment, channel: "cash" })).toBe("cash");
  expect(stage({ ...payment, channel: "cash", cash_confirmed_by_customer_at: "2026-03-14T09:00:00Z" })).toBe(
    "cash_wait",
  );
});

test("a shared job is asked for politely, and never again once it is over", () => {
  const job = { status: "en_route", position: { age_ms: 5000, stale: false } } as SharedJob;
  const found = look(nothing, { status: 200, retryAfterS: null, job }, NOW, false);
  expect([found.next.state, found.waitMs]).toEqual(["live", 10_000]);
  expect(look(nothing, { status: 200, retryAfterS: null, job }, NOW, true).waitMs).toBe(30_000);
  let shared = found.next;
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
    const { next, waitMs } = look(shared, null, NOW, false);
    shared = next;
    return waitMs;
  });
  expect(waits).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 60_000, 60_000]);
  expect(shared.job).toBe(job);
  expect(look(shared, { status: 429, retryAfterS: 7, job: null }, NOW, false)).toMatchObject({
    waitMs: 7000,
    next: { failures: 8 },
  });
  expect(look(shared, { status: 410, retryAfterS: null, job: null }, NOW, false)).toMatchObject({
    waitMs: null,
    next: { state: "ended", job: null },
  });
  expect(look(shared, { status: 404, retryAfterS: null, job: null }, NOW, false)).toMatchObject({
    waitMs: null,
    next: { state: "invalid", job: null },
  });
  const { position } = found.next;
  if (position === null) throw new Error("there is no position");
  expect(age(position, NOW + 54_999)).toEqual({ ms: 59_999, isStale: false });
  expect(age(position, NOW + 55_000).isStale).toBe(true);
});

test("what a guest is told of the time left ages with the mechanic's position", () => {
  const arrival = (job: object) =>
    arrivesAtMs(look(nothing, { status: 200, retryAfterS: null, job: job as SharedJob }, NOW, false).next);
  const eta = { eta_s: 300, source: "straight_line" };
  expect(arrival({ eta: null, position: null })).toBeNull();
  expect(arrival({ eta, position: { age_ms: 60_000, stale: true } })).toBe(NOW + 240_000);
  expect(arrival({ eta, position: null })).toBe(NOW + 300_000);
});

test("a link that has ended or never was says so, whatever was known of its job", () => {
  const job = { status: "en_route", mechanic_first_name: "Ravi" } as SharedJob;
  expect(headlineOf({ state: "live", job })).toContain("Ravi");
  const [ended, invalid] = [headlineOf({ state: "ended", job }), headlineOf({ state: "invalid", job })];
  expect(ended).not.toBe(invalid);
  expect([ended, invalid].join()).not.toContain("Ravi");
});
