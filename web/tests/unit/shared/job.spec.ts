// The state of a job, in whatever order frames and answers arrive.
import { beforeEach, expect, test } from "vitest";
import { undecided } from "../../../src/shared/job/items";
import { isPaid, lastTryOf, paymentOf } from "../../../src/shared/job/payments";
import { isDue, listPrice, parts, price, reduction, total, totalWith } from "../../../src/shared/job/price";
import { nothing, reduce, type Input, type JobState } from "../../../src/shared/job/state";
import { age, arrivesAtMs, FRESH_MS, promised } from "../../../src/shared/job/whereabouts";

type Job = NonNullable<JobState["job"]>;
type Item = JobState["items"][number];
type Payment = JobState["payments"][number];

const ID = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";
const RAVI = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01";
const KIRAN = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d02";
const NOW = Date.parse("2026-03-14T08:40:00Z");

const job = (changes: Partial<Job> = {}): Job =>
  ({
    id: ID,
    seq: 1,
    status: "dispatching",
    mechanic_profile_id: null,
    base_price: 299,
    travel_price: 20.5,
    destination: null,
    destination_price: 0,
    loaded_at: null,
    received_by: null,
    final_price: null,
    outlook: null,
    callback: null,
    currency: "INR",
    ...changes,
  }) as Job;
const item = (changes: Partial<Item> = {}): Item =>
  ({
    id: "i1",
    job_id: ID,
    status: "proposed",
    version: 1,
    total: 180,
    created_at: "2026-03-14T08:41:00Z",
    ...changes,
  }) as Item;
const made = (changes: Partial<Payment> = {}): Payment =>
  ({
    id: "p1",
    job_id: ID,
    status: "created",
    is_open: true,
    captured_at: null,
    duplicate_of: null,
    created_at: "2026-03-14T09:00:00Z",
    updated_at: "2026-03-14T09:00:00Z",
    ...changes,
  }) as Payment;

let nowMs = NOW;
const frame = (type: string, data: unknown, seq?: number): Input =>
  ({
    type: "frame",
    nowMs,
    frame: { type, job_id: ID, at: "2026-03-14T08:40:00Z", data, ...(seq === undefined ? {} : { seq }) },
  }) as Input;
const snapshot = (changes: Partial<Job> = {}) => frame("job.snapshot", job(changes), changes.seq ?? 1);
const updated = (changes: Partial<Job> = {}) => frame("job.updated", job(changes), changes.seq ?? 1);
const answered = (changes: Partial<Job> = {}): Input => ({ type: "job", job: job(changes) });
const location = (changes: object = {}) =>
  frame("location.updated", {
    mechanic_profile_id: RAVI,
    lat: 12.97,
    lng: 77.59,
    heading: null,
    speed_mps: null,
    accuracy_m: 5,
    recorded_at: "2026-03-14T08:39:58Z",
    age_ms: 2000,
    stale: false,
    ...changes,
  });
const eta = frame("eta.updated", { eta_s: 300, distance_m: 1200, source: "osrm" });
const details = (changes: object = {}): Input =>
  ({ type: "details", items: [], payments: [], dispute: null, location: null, nowMs, ...changes }) as Input;
const after = (...inputs: Input[]): JobState => inputs.reduce(reduce, nothing);

const onTheWay = { seq: 4, status: "en_route", mechanic_profile_id: RAVI } as const;
const atWork = { seq: 6, status: "in_progress", mechanic_profile_id: RAVI } as const;

beforeEach(() => {
  nowMs = NOW;
});

test("a replay that ends where the page is changes nothing", () => {
  const state = after(snapshot(onTheWay));
  const replayed = [
    updated({ seq: 2 }),
    updated({ seq: 3, status: "accepted", mechanic_profile_id: RAVI }),
    updated(onTheWay),
  ].reduce(reduce, state);
  expect(replayed.job).toEqual(state.job);
});

test("an older answer over HTTP does not undo a newer frame", () => {
  const state = after(snapshot({ seq: 3 }), updated(onTheWay), answered({ seq: 3 }));
  expect(state.job?.status).toBe("en_route");
});

test("a frame counts whose event an answer over HTTP has overtaken", () => {
  // The answer includes the proposal as far as the job is concerned; only the frame contains the item itself.
  const state = after(snapshot(atWork), answered({ ...atWork, seq: 9 }), frame("line_item.updated", item(), 8));
  expect(state.items).toEqual([item()]);
});

test("what is about another job changes nothing", () => {
  const state = after(snapshot(atWork));
  const other = "019ceb77-7340-7b20-9e32-6d1f5aab2c02";
  expect(reduce(state, { type: "job", job: job({ id: other, seq: 99 }) })).toBe(state);
  expect(reduce(state, { type: "item", item: item({ job_id: other }) })).toBe(state);
  // A cancellation fee is paid separately, by a payment for several jobs.
  expect(reduce(state, frame("payment.updated", made({ job_id: null, fee_job_ids: [ID] }), 9))).toBe(state);
});

test("what was kept is shown only until the service says something", () => {
  const kept: Input = { type: "kept", job: job(onTheWay), items: [item()] };
  expect(after(kept).job?.status).toBe("en_route");
  expect(after(snapshot({ seq: 9, status: "cancelled" }), kept).job?.status).toBe("cancelled");
});

test("an item that is sent twice is there once, and an older version of it changes nothing", () => {
  const approved = item({ status: "approved", version: 2 });
  const state = after(snapshot(atWork), frame("line_item.updated", item(), 7), frame("line_item.updated", approved, 8));
  const again = [frame("line_item.updated", item(), 7), frame("line_item.updated", approved, 8)].reduce(reduce, state);
  expect(again.items).toEqual([approved]);
  expect(undecided(again)).toEqual([]);
});

test("a withdrawn item is gone, also if a list that was asked for before still has it", () => {
  const withdrawn = frame("line_item.updated", item({ status: "withdrawn", version: 2 }), 8);
  const state = after(
    snapshot(atWork),
    frame("line_item.updated", item(), 7),
    { type: "asked" },
    withdrawn,
    details({ items: [item()] }),
  );
  expect(state.items).toEqual([]);
});

test("an item that came while the list was under way stays, in the order of the proposals", () => {
  const state = after(
    snapshot(atWork),
    { type: "asked" },
    frame("line_item.updated", item({ id: "i2" }), 8),
    details({ items: [item()] }),
  );
  expect(state.items.map(({ id }) => id)).toEqual(["i1", "i2"]);
});

test("an item that was withdrawn while nobody listened is gone with the next list", () => {
  const state = after(snapshot(atWork), frame("line_item.updated", item(), 7), { type: "asked" }, details());
  expect(state.items).toEqual([]);
});

test("a snapshot asks for items and payments anew, until both are there", () => {
  const state = after(snapshot(atWork), details({ items: [item()] }));
  expect(state.isIncomplete).toBe(false);
  const anew = reduce(state, snapshot({ ...atWork, seq: 12 }));
  expect(anew.isIncomplete).toBe(true);
  expect(reduce(anew, { type: "details", items: [item()], nowMs })).toMatchObject({
    isIncomplete: true,
    items: [item()],
  });
  expect(reduce(anew, details()).isIncomplete).toBe(false);
});

test("the newest position counts, in whatever order they arrive", () => {
  const state = after(
    snapshot(onTheWay),
    location({ lat: 12.98, recorded_at: "2026-03-14T08:39:59Z" }),
    location({ lat: 12.9, recorded_at: "2026-03-14T08:39:00Z" }),
  );
  expect(state.position?.lat).toBe(12.98);
});

test("a position grows old on the screen, and what the service calls stale is stale at once", () => {
  const { position } = after(snapshot(onTheWay), location());
  if (!position) throw new Error("there is no position");
  expect(age(position, NOW)).toEqual({ ms: 2000, isStale: false });
  expect(age(position, NOW + FRESH_MS - 2001).isStale).toBe(false);
  expect(age(position, NOW + FRESH_MS - 2000).isStale).toBe(true);
  const old = after(snapshot(onTheWay), location({ stale: true })).position;
  expect(old && age(old, NOW).isStale).toBe(true);
});

test("a clock that was set back makes no position younger than now", () => {
  const { position } = after(snapshot(onTheWay), location());
  expect(position && age(position, NOW - 3_600_000).ms).toBe(0);
});

test("nobody is shown before the acceptance, after the completion, or who has lost the job", () => {
  expect(after(snapshot(), location()).position).toBeNull();
  expect(after(snapshot(onTheWay), location({ mechanic_profile_id: KIRAN })).position).toBeNull();
  expect(
    after(snapshot(onTheWay), location(), updated({ ...atWork, seq: 9, status: "completed" })).position,
  ).toBeNull();
});

test("a mechanic who loses the job takes position, ETA and items along", () => {
  const withMechanic = after(snapshot(onTheWay), location(), eta, frame("line_item.updated", item(), 5));
  expect(withMechanic.eta?.eta_s).toBe(300);
  const searching = reduce(withMechanic, updated({ seq: 6, status: "dispatching" }));
  expect([searching.position, searching.eta, searching.items]).toEqual([null, null, []]);
  const next = reduce(searching, updated({ seq: 7, status: "accepted", mechanic_profile_id: KIRAN }));
  expect([next.position, next.eta, next.isIncomplete]).toEqual([null, null, true]);
});

test("rounds and outlook are those of a search under way", () => {
  const progress = frame("dispatch.progress", { round: 2, radius_km: 5, mechanics_offered: 3 });
  const outlook = frame("dispatch.outlook", {
    expected_wait_s: 600,
    chance_in_time_percent: 90,
    in_time_s: 1800,
    is_held: false,
    is_served: true,
  });
  const state = after(snapshot(), progress, outlook);
  expect([state.progress?.mechanics_offered, state.outlook?.expected_wait_s]).toEqual([3, 600]);
  const found = reduce(state, updated(onTheWay));
  expect([found.progress, found.outlook]).toEqual([null, null]);
  expect(reduce(found, progress).progress).toBeNull();
});

test("the total is base, travel and what was approved, in whole paise", () => {
  const items = [
    item({ status: "approved", total: 0.1 }),
    item({ id: "i2", status: "approved", total: 0.2 }),
    item({ id: "i3", status: "rejected" }),
    item({ id: "i4", total: 20 }),
  ];
  const state = after(snapshot(atWork), details({ items }));
  expect(total(state)).toBe(319.8);
  expect(price(state)).toEqual({ approved: 31_980, withUndecided: 33_980 });
  expect(total(reduce(state, updated({ ...atWork, seq: 9, status: "completed", final_price: 300 })))).toBe(300);
});

test("an undecided item has the total that its approval makes, whatever else waits or was rejected", () => {
  const items = [
    item({ status: "approved", total: 0.1 }),
    item({ id: "i2", total: 159.6 }),
    item({ id: "i3", total: 20 }),
    item({ id: "i4", status: "rejected", total: 500 }),
  ];
  const state = after(snapshot(atWork), details({ items }));
  expect([totalWith(state, items[1]!), totalWith(state, items[2]!)]).toEqual([479.2, 339.6]);
  expect(total(state)).toBe(319.6);
});

test("a decided dispute sets the price, and what is left of it can be paid once", () => {
  const disputed = {
    ...atWork,
    seq: 8,
    status: "disputed",
    final_price: 699,
    disputed_at: "2026-03-14T09:00:00Z",
  } as const;
  const decision = { status: "resolved", price_reduction: 400, price_after: 299, settled_at: null };
  const resolved = reduce(after(snapshot(disputed), details()), updated({ ...disputed, seq: 9, status: "resolved" }));
  expect([resolved.isIncomplete, isDue(resolved), reduction(resolved)]).toEqual([true, false, null]);
  const loaded = reduce(resolved, details({ dispute: decision }));
  expect([isDue(loaded), total(loaded), reduction(loaded)]).toEqual([true, 299, 400]);
  const captured = reduce(
    loaded,
    frame("payment.updated", made({ status: "captured", is_open: false, captured_at: "2026-03-14T09:02:00Z" }), 10),
  );
  expect([isDue(captured), total(captured)]).toEqual([false, 299]);
  const free = reduce(
    resolved,
    details({ dispute: { ...decision, price_reduction: 699, price_after: 0, settled_at: "2026-03-14T09:01:00Z" } }),
  );
  expect([isDue(free), total(free)]).toEqual([false, 0]);
});

test("a callback that was asked for stays when a frame without it comes, until an answer says otherwise", () => {
  const callback = { done_at: null } as NonNullable<Job["callback"]>;
  const state = after(snapshot(), answered({ callback }), updated({ seq: 2 }), snapshot({ seq: 2 }));
  expect(state.job?.callback).toEqual(callback);
  expect(reduce(state, answered({ seq: 2 })).job?.callback).toBeNull();
});

const completed = { ...atWork, status: "completed" } as const;
const captured = made({
  id: "p2",
  status: "captured",
  is_open: false,
  captured_at: "2026-03-14T09:02:00Z",
  created_at: "2026-03-14T09:01:00Z",
  updated_at: "2026-03-14T09:02:00Z",
});

test("a captured payment stays captured, whatever arrives after it", () => {
  const state = after(snapshot(completed), frame("payment.updated", captured, 10));
  const late = reduce(
    state,
    frame(
      "payment.updated",
      { ...captured, status: "authorized", captured_at: null, updated_at: "2026-03-14T09:02:01Z" },
      10,
    ),
  );
  expect(paymentOf(late)?.status).toBe("captured");
  const early = after(
    snapshot(completed),
    frame("payment.updated", made({ id: "p2", status: "authorized", updated_at: "2026-03-14T09:02:01Z" }), 9),
    frame("payment.updated", captured, 10),
  );
  expect(paymentOf(early)?.status).toBe("captured");
});

test("the captured payment counts, else the open one, and never a second capture of the same order", () => {
  const failed = made({
    id: "p0",
    status: "failed",
    is_open: false,
    failure: "declined",
    created_at: "2026-03-14T09:03:00Z",
  });
  const tried = after(snapshot(completed), details({ payments: [failed] }));
  expect([paymentOf(tried), lastTryOf(tried)?.id]).toEqual([null, "p0"]);
  const open = reduce(tried, { type: "payment", payment: made() });
  expect(paymentOf(open)?.id).toBe("p1");
  const paid = reduce(open, frame("payment.updated", captured, 10));
  expect(paymentOf(paid)).toEqual(captured);
  const twice = reduce(
    paid,
    frame("payment.updated", { ...captured, id: "p3", duplicate_of: "p2", created_at: "2026-03-14T09:05:00Z" }, 11),
  );
  expect(paymentOf(twice)?.id).toBe("p2");
  const only = after(snapshot(completed), frame("payment.updated", { ...captured, id: "p3", duplicate_of: "p2" }, 11));
  expect([paymentOf(only), lastTryOf(only)]).toEqual([null, null]);
  const onAccount = after(snapshot(completed), frame("payment.updated", { ...captured, channel: "account" }, 11));
  expect(paymentOf(onAccount)).toBeNull();
  expect(isPaid({ ...captured, status: "partially_refunded" })).toBe(true);
});

test("an estimate ages with the position that it was made from", () => {
  expect(arrivesAtMs(after(snapshot(onTheWay)))).toBeNull();
  // The position was two seconds old.
  expect(arrivesAtMs(after(snapshot(onTheWay), location(), eta))).toBe(NOW - 2_000 + 300_000);
  const old = after(snapshot(onTheWay), location({ age_ms: 240_000, stale: true }), eta);
  expect(arrivesAtMs(old)).toBe(NOW + 60_000);
  const asked = details({ location: { location: null, eta: { eta_s: 300, distance_m: 1200, source: "osrm" } } });
  expect(arrivesAtMs(after(snapshot(onTheWay), asked))).toBe(NOW + 300_000);
});

test("a promise that has passed, or can't be kept, is late, with the time that is expected now", () => {
  const at = "2026-03-14T08:40:00Z";
  const after = (seconds: number) => NOW + seconds * 1000;
  expect(promised(at, null, after(-300))).toEqual({ isLate: false, at: NOW });
  // It applies to the whole minute, and an estimate within a minute of it counts as on time.
  expect(promised(at, after(59), after(30))).toEqual({ isLate: false, at: NOW });
  expect(promised(at, after(360), after(-300))).toEqual({ isLate: true, at: after(360) });
  expect(promised(at, after(420), after(360))).toEqual({ isLate: true, at: after(420) });
  expect(promised(at, after(120), after(360))).toEqual({ isLate: true, at: null });
  expect(promised(at, null, after(60))).toEqual({ isLate: true, at: null });
});

test("the parts of a price add up to it, whatever became of the job", () => {
  const destination = { address: "MG Road", distance_m: 5_000 } as Job["destination"];
  const approved = item({ status: "approved", total: 120.35 });
  const tow = item({ id: "i2", status: "approved", total: 180, destination: {} as Item["destination"] });
  const dispute = { price_after: 300, price_reduction: 139.85 } as JobState["dispute"];
  const states: Partial<JobState>[] = [
    { job: job() },
    { job: job({ travel_price: 0 }), items: [approved, item({ id: "i3" })] },
    { job: job({ destination, destination_price: 99.9 }), items: [approved] },
    { job: job({ final_price: 439.85, status: "completed" }), items: [approved] },
    // The vehicle was not loaded: the agreed tow costs nothing.
    { job: job({ destination, destination_price: 0, final_price: 319.5, status: "completed" }), items: [tow] },
    { job: job({ destination, destination_price: 80, final_price: 319.5, status: "completed" }) },
    { job: job({ final_price: 439.85, status: "resolved", disputed_at: "x" }), items: [approved], dispute },
  ];
  for (const change of states) {
    const state = { ...nothing, ...change };
    const sum = parts(state).reduce((paise, part) => paise + part.paise, 0);
    expect(sum, JSON.stringify(change)).toBe(Math.round(total(state) * 100));
  }
});

test("a list says what a job costs as its page does", () => {
  const listed = (changes: Partial<Job>, after: number | null = null) =>
    listPrice(job({ estimated_price: 399, cancellation_fee: null, disputed_at: null, ...changes }), after);
  expect(listed({})).toBe(399);
  expect(listed({ status: "completed", final_price: 450 })).toBe(450);
  expect(listed({ status: "resolved", disputed_at: "x", final_price: 399 }, 300)).toBe(300);
  expect(listed({ status: "resolved", disputed_at: "x", final_price: 399 })).toBeNull();
  // Resolved without a dispute.
  expect(listed({ status: "resolved", final_price: 399 })).toBe(399);
  expect(listed({ status: "cancelled", cancellation_fee: 50 })).toBe(50);
  expect(listed({ status: "cancelled" })).toBeNull();
});
