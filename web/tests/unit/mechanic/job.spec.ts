// A mechanic's job from its frames: the next step, the changes, the end.
import { expect, test } from "vitest";
import { undecided, type LineItem } from "../../../src/shared/job/items";
import { paymentOf, type Payment } from "../../../src/shared/job/payments";
import { price } from "../../../src/shared/job/price";
import type { Job } from "../../../src/shared/job/state";
import {
  apply,
  begin,
  begins,
  mayOfferTow,
  noShowInMs,
  step,
  stepsOf,
  targetOf,
  type Event,
  type JobState,
  type Nudge,
} from "../../../src/mechanic/job/job";
import { appsFor, link } from "../../../src/mechanic/job/handoff";

const AT = "2026-03-14T08:00:00.000Z";

function job(change: Partial<Job> = {}): Job {
  return {
    id: "job",
    status: "accepted",
    pickup_address: "MG Road",
    pickup_lat: 12.97,
    pickup_lng: 77.59,
    description: "The rear tyre",
    final_price: null,
    base_price: 300,
    travel_price: 99.99,
    destination: null,
    destination_price: 0,
    loaded_at: null,
    mechanic_profile_id: "me",
    cancel_reason_code: null,
    disputed_at: null,
    vehicle: {
      make: "Bajaj",
      model: "Pulsar",
      color: "red",
      registration_number: "KA01AB1234",
      vehicle_type: "two_wheeler",
    },
    accepted_at: AT,
    arrived_at: null,
    concern: null,
    callback: null,
    outlook: null,
    seq: 5,
    ...change,
  } as Job;
}

function item(change: Partial<LineItem> = {}): LineItem {
  return {
    id: "i",
    job_id: "job",
    total: 250.5,
    destination: null,
    status: "proposed",
    version: 1,
    created_at: AT,
    ...change,
  } as LineItem;
}

function paid(change: Partial<Payment> = {}): Payment {
  return {
    id: "p",
    job_id: "job",
    status: "created",
    is_open: true,
    duplicate_of: null,
    captured_at: null,
    created_at: AT,
    updated_at: AT,
    ...change,
  } as Payment;
}

const nudge = (concern: Nudge["concern"]): Event => ({
  type: "frame",
  nowMs: Date.parse(AT),
  frame: { type: "job.nudge", job_id: "job", at: AT, data: { concern, since: AT } },
});

function after(start: JobState, ...events: Event[]): JobState {
  return events.reduce(apply, start);
}

test("each status has its next step", () => {
  const steps = {
    accepted: "set_out",
    en_route: "drive",
    arrived: "start",
    in_progress: "work",
    completed: "payment",
    paid: "rate",
    disputed: "rate",
    resolved: "rate",
  } as const;
  for (const [status, expected] of Object.entries(steps))
    expect(step(begin(job({ status: status as Job["status"] })))).toBe(expected);
});

test("an older version of the job, as in a replay, changes nothing", () => {
  const state = after(begin(job({ seq: 9, status: "arrived" })), {
    type: "job",
    job: job({ seq: 8, status: "en_route" }),
  });
  expect(state.job.status).toBe("arrived");
});

test("a job that goes to somebody else is over for this mechanic, and stays so", () => {
  for (const change of [
    { status: "dispatching", mechanic_profile_id: null },
    { mechanic_profile_id: "other" },
  ] satisfies Partial<Job>[]) {
    const state = after(
      begin(job()),
      { type: "job", job: job({ seq: 6, ...change }) },
      { type: "job", job: job({ seq: 7, mechanic_profile_id: "other", status: "en_route" }) },
    );
    expect(state.ended).toBe("reassigned");
    expect(step(state)).toBe("over");
    // The details that the mechanic knew can still be read.
    expect(state.job.pickup_address).toBe("MG Road");
  }
});

test("a job that was given back and is given to the mechanic once more begins anew", () => {
  const LATER = "2026-03-14T08:09:00.000Z";
  const released = after(begin(job({ seq: 5 })), { type: "given_up", how: "released" });
  const taken = after(begin(job({ seq: 5 })), {
    type: "job",
    job: job({ seq: 6, status: "dispatching", mechanic_profile_id: null }),
  });
  const gone = after(begin(job({ seq: 5 })), { type: "gone" });
  for (const ended of [released, taken, gone]) {
    expect(begins(ended, job({ seq: 8, accepted_at: LATER }))).toBe(true);
    expect(begins(ended, job({ seq: 9, accepted_at: LATER, status: "en_route" }))).toBe(true);
    // Answers and frames from before the end that arrive late restore nothing.
    expect(begins(ended, job({ seq: 5 }))).toBe(false);
    expect(begins(ended, job({ seq: 6 }))).toBe(false);
    expect(begins(ended, job({ seq: 4, accepted_at: "2026-03-14T07:40:00.000Z" }))).toBe(false);
    // The job has no mechanic, or it is completed.
    expect(begins(ended, job({ seq: 8, status: "dispatching", accepted_at: LATER }))).toBe(false);
    expect(begins(ended, job({ seq: 9, status: "completed", accepted_at: LATER }))).toBe(false);
  }
  // A job in progress continues.
  expect(begins(begin(job({ seq: 5 })), job({ seq: 6, status: "en_route" }))).toBe(false);
  expect(begins(begin(job()), job({ id: "another", seq: 2 }))).toBe(true);
  expect(begins(null, job())).toBe(true);
});

test("a job that the mechanic gave back is told apart from one that was taken", () => {
  const state = after(
    begin(job()),
    { type: "given_up", how: "released" },
    { type: "job", job: job({ seq: 6, status: "dispatching", mechanic_profile_id: null }) },
  );
  expect(state.ended).toBe("released");
});

test("a cancelled job keeps its fee and reason", () => {
  const state = after(begin(job({ status: "arrived" })), {
    type: "job",
    job: job({ seq: 6, status: "cancelled", cancellation_fee: 150, cancel_reason_code: "changed_mind" }),
  });
  expect(state.ended).toBe("cancelled");
  expect(state.job.cancellation_fee).toBe(150);
  expect(
    after(begin(job()), {
      type: "job",
      job: job({ seq: 6, status: "cancelled", cancel_reason_code: "customer_no_show" }),
    }).ended,
  ).toBe("no_show");
});

test("what the customer corrected is shown until it was seen, several corrections as one", () => {
  const state = after(
    begin(job()),
    { type: "job", job: job({ seq: 6, pickup_lat: 12.971, pickup_address: "Church Street" }) },
    {
      type: "job",
      job: job({ seq: 7, pickup_lat: 12.971, pickup_address: "Church Street", description: "Both tyres" }),
    },
  );
  expect(state.correction).toMatchObject({
    pickupMovedM: 111,
    addressChanged: true,
    descriptionChanged: true,
    vehicleChanged: false,
  });
  expect(apply(state, { type: "correction_seen" }).correction).toBeNull();
});

test("what a job loses once it is over is no correction", () => {
  const state = after(begin(job({ status: "in_progress" })), {
    type: "job",
    job: job({
      seq: 6,
      status: "completed",
      customer_first_name: null,
      vehicle: { make: "Bajaj", model: "Pulsar", color: "red", registration_number: null, vehicle_type: "two_wheeler" },
    }),
  });
  expect(state.correction).toBeNull();
});

test("a nudge stays until it is answered, the concern is over, or the mechanic has arrived", () => {
  const nudged = after(begin(job({ status: "en_route", concern: "stalled" })), nudge("stalled"));
  expect(nudged.nudge?.concern).toBe("stalled");
  expect(apply(nudged, { type: "nudge_answered" }).nudge).toBeNull();
  expect(apply(nudged, { type: "job", job: job({ seq: 6, status: "en_route", concern: null }) }).nudge).toBeNull();
  expect(apply(nudged, { type: "job", job: job({ seq: 6, status: "arrived", concern: "stalled" }) }).nudge).toBeNull();
  expect(after(begin(job({ status: "arrived" })), nudge("stalled")).nudge).toBeNull();
});

test("items are added, decided and withdrawn, whatever overtakes what", () => {
  const state = after(
    begin(job({ status: "in_progress" })),
    { type: "item", item: item() },
    { type: "item", item: item({ id: "j", type: "labour" }) },
  );
  expect(undecided(state).map(({ id }) => id)).toEqual(["i", "j"]);
  const approved = after(
    state,
    { type: "item", item: item({ status: "approved", version: 2 }) },
    { type: "item", item: item({ version: 1 }) },
    { type: "item", item: item({ version: 2 }) },
  );
  expect(approved.items[0]?.status).toBe("approved");
  expect(
    apply(approved, { type: "item", item: item({ id: "j", status: "withdrawn", version: 2 }) }).items.map(
      ({ id }) => id,
    ),
  ).toEqual(["i"]);
  expect(apply(state, { type: "item", item: item({ id: "x", job_id: "another" }) })).toBe(state);
});

test("the price is exact to the paisa", () => {
  const state = after(
    begin(job({ status: "in_progress" })),
    { type: "item", item: item({ status: "approved", total: 0.1 }) },
    { type: "item", item: item({ id: "j", status: "approved", total: 0.2 }) },
    { type: "item", item: item({ id: "k", type: "discount", status: "approved", total: -50 }) },
    { type: "item", item: item({ id: "l", total: 20 }) },
    { type: "item", item: item({ id: "m", status: "rejected", total: 999 }) },
  );
  expect(price(state)).toEqual({ approved: 35_029, withUndecided: 37_029 });
});

test("a payment that was captured stays the one that counts", () => {
  const payments = [paid(), paid({ id: "f", status: "failed", is_open: false })];
  const state = after(begin(job({ status: "completed" })), { type: "details", payments, nowMs: 0 });
  expect(paymentOf(state)?.id).toBe("p");
  const captured = apply(state, {
    type: "payment",
    payment: paid({ status: "captured", is_open: false, captured_at: AT, updated_at: "2026-03-14T08:01:00.000Z" }),
  });
  expect(paymentOf(captured)?.status).toBe("captured");
  // A frame that was overtaken.
  expect(paymentOf(apply(captured, { type: "payment", payment: paid() }))?.status).toBe("captured");
});

test("a job that the service does not show any more was taken, unless the mechanic gave it up", () => {
  expect(after(begin(job()), { type: "gone" }).ended).toBe("reassigned");
  expect(after(begin(job()), { type: "given_up", how: "released" }, { type: "gone" }).ended).toBe("released");
});

test("a customer who is not there may be reported some time after the arrival", () => {
  const state = begin(job({ status: "arrived", arrived_at: AT }));
  expect(noShowInMs(state, Date.parse(AT) + 60_000, 600)).toBe(540_000);
  expect(noShowInMs(state, Date.parse(AT) + 3_600_000, 600)).toBe(0);
  expect(noShowInMs(begin(job()), Date.parse(AT), 600)).toBeNull();
});

test("the way is handed to the maps app that the phone has", () => {
  const place = { lat: 12.9716, lng: 77.5946 };
  expect(appsFor("Mozilla/5.0 (Linux; Android 14)")[0]).toBe("google");
  expect(appsFor("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)")[0]).toBe("apple");
  expect(link("geo", place)).toBe("geo:12.971600,77.594600?q=12.971600%2C77.594600");
  expect(link("google", place)).toContain("destination=12.971600%2C77.594600");
  expect(link("apple", place)).toContain("daddr=12.971600%2C77.594600");
});

const garage = {
  address: "12 Hosur Road",
  lat: 12.91,
  lng: 77.63,
  workshop_id: "w",
  workshop_name: "Hosur Motors",
  receiver_name: null,
  receiver_phone: null,
  distance_m: 7200,
  duration_s: 1500,
  driven_m: null,
};

test("a job with a destination is loaded and driven there before it is paid", () => {
  const towed = (change: Partial<Job>) => begin(job({ destination: garage, destination_price: 66, ...change }));
  expect(step(towed({ status: "arrived" }))).toBe("start");
  expect(step(towed({ status: "in_progress" }))).toBe("load");
  expect(step(towed({ status: "in_progress", loaded_at: AT }))).toBe("tow");
  expect(step(towed({ status: "completed", loaded_at: AT }))).toBe("payment");
  expect(step(begin(job({ status: "in_progress" })))).toBe("work");
  expect(stepsOf(job({ destination: garage }))).toContain("tow");
  expect(stepsOf(job())).not.toContain("tow");
  expect(price(towed({})).approved).toBe(30_000 + 9_999 + 6_600);
});

test("the way leads to the vehicle, and once that is loaded to where it is taken", () => {
  expect(targetOf(job({ status: "en_route", destination: garage }))).toMatchObject({ lat: 12.97, address: "MG Road" });
  expect(targetOf(job({ status: "in_progress", destination: garage }))).toMatchObject({ lat: 12.97 });
  expect(targetOf(job({ status: "in_progress", destination: garage, loaded_at: AT }))).toEqual({
    lat: 12.91,
    lng: 77.63,
    name: "Hosur Motors",
    address: "12 Hosur Road",
  });
});

test("a tow can be offered at the vehicle, once, and not for one that is towed anyway", () => {
  const state = (change: Partial<Job>, ...items: LineItem[]) => ({ ...begin(job(change)), items });
  expect(mayOfferTow(state({ status: "en_route" }))).toBe(false);
  expect(mayOfferTow(state({ status: "arrived" }))).toBe(true);
  expect(mayOfferTow(state({ status: "in_progress" }, item()))).toBe(true);
  expect(mayOfferTow(state({ status: "in_progress", destination: garage }))).toBe(false);
  const tow = item({ type: "tow", destination: garage });
  expect(mayOfferTow(state({ status: "in_progress" }, tow))).toBe(false);
  expect(mayOfferTow(state({ status: "in_progress" }, { ...tow, status: "rejected" }))).toBe(true);
});

test("the estimate of the way to the vehicle is gone when it is loaded, and that of the tow counts", () => {
  const eta = { eta_s: 300, distance_m: 2000, source: "osrm" };
  const frame = (data: object) => ({ type: "frame", frame: { type: "eta.updated", data }, nowMs: 0 }) as Event;
  const driving = apply(begin(job({ status: "en_route", destination: garage })), frame(eta));
  expect(driving.eta).toMatchObject(eta);
  const loading = apply(driving, { type: "job", job: job({ status: "in_progress", destination: garage, seq: 6 }) });
  expect(loading.eta).toBeNull();
  expect(apply(loading, frame(eta)).eta).toBeNull();
  const loaded = job({ status: "in_progress", destination: garage, loaded_at: AT, seq: 7 });
  expect(apply(apply(loading, { type: "job", job: loaded }), frame(eta)).eta).toMatchObject(eta);
});

test("an approved tow is the job's destination, though no frame of the job says so", () => {
  const loaded = apply(begin(job({ status: "in_progress" })), {
    type: "details",
    items: [],
    payments: [],
    nowMs: 0,
  });
  expect(loaded.isIncomplete).toBe(false);
  const tow = item({ type: "tow", destination: garage });
  const proposed = apply(loaded, { type: "item", item: tow });
  expect(proposed.isIncomplete).toBe(false);
  expect(proposed.job.destination).toBeNull();
  const agreed = apply(proposed, { type: "item", item: { ...tow, status: "approved", version: 2 } });
  expect(agreed.isIncomplete).toBe(true);
  expect(agreed.job.destination).toMatchObject({ workshop_name: "Hosur Motors", receiver_name: null });
});
