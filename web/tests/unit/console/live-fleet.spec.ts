// The live map's store, its painter and its choices, without a browser.
import { expect, test } from "vitest";
import { chosenOf, filtersOf, queryOf, queryOfChosen } from "../../../src/console/live/address";
import {
  isLate,
  isWaiting,
  jobLook,
  matches,
  minutesWaited,
  NO_FILTERS,
  showsJob,
  showsMechanic,
} from "../../../src/console/live/choice";
import {
  boxOf,
  cellId,
  Fleet,
  isWithin,
  type FleetChanges,
  type FleetJob,
  type FleetMechanic,
  type FleetView,
  type JobDetails,
  type MechanicDetails,
} from "../../../src/console/live/fleet";
import { Painter } from "../../../src/console/live/paint";
import { jobRows, mechanicRows, MOST } from "../../../src/console/live/rows";

const AT = "2026-03-14T08:00:00.000Z";
const NOW = Date.parse(AT) + 60_000;

function mechanic(id: string, change: Partial<FleetMechanic> = {}): FleetMechanic {
  return { mechanic_profile_id: id, lat: 12.9, lng: 77.6, state: "free", seen_at: AT, job_id: null, ...change };
}
function job(id: string, change: Partial<FleetJob> = {}): FleetJob {
  return {
    id,
    lat: 12.9,
    lng: 77.6,
    status: "dispatching",
    urgency: "normal",
    service_category_id: "tyre",
    mechanic_profile_id: null,
    waiting_since: AT,
    ...change,
  };
}
function jobDetails(id: string, change: Partial<JobDetails> = {}): JobDetails {
  return {
    job_id: id,
    customer_name: "Meera Nair",
    customer_phone: "+919876543210",
    pickup_address: "MG Road",
    vehicle_type: "two_wheeler",
    vehicle_registration_number: "KA01AB1234",
    concern: null,
    has_open_callback: false,
    accepted_at: null,
    promised_at: null,
    ...change,
  };
}
function mechanicDetails(id: string, name: string): MechanicDetails {
  return {
    mechanic_profile_id: id,
    mechanic_name: name,
    mechanic_phone: null,
    vehicle_types: [],
    service_category_ids: [],
  };
}
function view(change: Partial<FleetView> = {}): FleetView {
  return {
    at: AT,
    is_aggregated: false,
    counts: { free: 0, busy: 0, waiting_jobs: 0, active_jobs: 0 },
    everywhere: { waiting_jobs: 0, active_jobs: 0, concerns: 0, online: 0, free: 0 },
    mechanics: [],
    jobs: [],
    cells: [],
    details: null,
    ...change,
  };
}
function changes(change: Partial<FleetChanges> = {}): FleetChanges {
  return {
    counts: { free: 0, busy: 0, waiting_jobs: 0, active_jobs: 0 },
    everywhere: { waiting_jobs: 0, active_jobs: 0, concerns: 0, online: 0, free: 0 },
    mechanics: [],
    jobs: [],
    cells: [],
    gone: { mechanics: [], jobs: [] },
    details: null,
    ...change,
  };
}

test("a snapshot replaces everything before it, and what is not there any more is touched", () => {
  const fleet = new Fleet();
  fleet.snapshot(view({ mechanics: [mechanic("a"), mechanic("b")], jobs: [job("1")] }));
  const touched = fleet.snapshot(view({ mechanics: [mechanic("b"), mechanic("c")] }));
  expect([...fleet.mechanics.keys()]).toEqual(["b", "c"]);
  expect([...touched.mechanics].sort()).toEqual(["a", "b", "c"]);
  expect([...touched.jobs]).toEqual(["1"]);
  expect(fleet.jobs.size).toBe(0);
});

test("changes add, move and take away, and touch nothing else", () => {
  const fleet = new Fleet();
  fleet.snapshot(view({ mechanics: [mechanic("a"), mechanic("b"), mechanic("c")] }));
  const touched = fleet.change(
    changes({
      mechanics: [mechanic("b", { lat: 13 }), mechanic("d")],
      gone: { mechanics: ["a", "never-there"], jobs: [] },
      everywhere: { waiting_jobs: 0, active_jobs: 0, concerns: 0, online: 3, free: 3 },
    }),
  );
  expect([...fleet.mechanics.keys()]).toEqual(["b", "c", "d"]);
  expect(fleet.mechanics.get("b")?.lat).toBe(13);
  expect([...touched.mechanics].sort()).toEqual(["a", "b", "d"]);
  expect(fleet.everywhere?.free).toBe(3);
});

test("a cell in which nothing is left goes, and a map that is shown one by one has none", () => {
  const fleet = new Fleet();
  const cell = { lat: 12.9, lng: 77.6, size_degrees: 0.1, free: 2, busy: 1, waiting_jobs: 0, active_jobs: 0 };
  fleet.snapshot(view({ is_aggregated: true, cells: [cell] }));
  expect(fleet.cells.get(cellId(cell))?.free).toBe(2);
  const touched = fleet.change(changes({ cells: [{ ...cell, free: 0, busy: 0 }] }));
  expect(fleet.cells.size).toBe(0);
  expect([...touched.cells]).toEqual([cellId(cell)]);
  fleet.snapshot(view({ is_aggregated: true, cells: [cell] }));
  expect([...fleet.snapshot(view({ mechanics: [mechanic("a")] })).cells]).toEqual([cellId(cell)]);
  expect(fleet.isAggregated).toBe(false);
});

test("a box has a margin, crosses the date line, and ends at the poles and at the whole world", () => {
  expect(boxOf({ west: 10, south: 20, east: 20, north: 30 }, 0.1)).toBe("9.00000,19.00000,21.00000,31.00000");
  expect(boxOf({ west: 175, south: -10, east: 185, north: 10 }, 0)).toBe("175.00000,-10.00000,-175.00000,10.00000");
  expect(boxOf({ west: -300, south: -89, east: 300, north: 89 }, 0.1)).toBe("-180.00000,-90.00000,180.00000,90.00000");
  expect(isWithin({ west: 11, south: 21, east: 19, north: 29 }, "9,19,21,31")).toBe(true);
  expect(isWithin({ west: 8, south: 21, east: 19, north: 29 }, "9,19,21,31")).toBe(false);
});

test("the map gets differences alone, the newest of each thing, in portions", async () => {
  const sent: { add: number; update: number; remove: number }[] = [];
  const frames: (() => void)[] = [];
  const lastUpdate: unknown[] = [];
  const painter = new Painter(
    {
      updateData: (diff) => {
        sent.push({ add: diff.add?.length ?? 0, update: diff.update?.length ?? 0, remove: diff.remove?.length ?? 0 });
        lastUpdate.push(...(diff.update ?? []));
        return Promise.resolve();
      },
    },
    (run) => frames.push(run),
  );
  const settle = async () => {
    while (frames.length > 0) {
      frames.shift()?.();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  for (let n = 0; n < 700; n += 1) painter.put(`m${n}`, { lng: n, lat: 0, properties: { s: "free" } });
  await settle();
  expect(sent).toEqual([
    { add: 300, update: 0, remove: 0 },
    { add: 300, update: 0, remove: 0 },
    { add: 100, update: 0, remove: 0 },
  ]);
  sent.length = 0;
  painter.put("m1", { lng: 5, lat: 5, properties: { s: "free" } });
  painter.put("m1", { lng: 6, lat: 5, properties: { s: "free" } });
  painter.put("m2", { lng: 2, lat: 0, properties: { s: "free" } });
  painter.put("m3", null);
  painter.put("never-there", null);
  await settle();
  expect(sent).toEqual([{ add: 0, update: 1, remove: 1 }]);
  // The new position only, since its appearance is unchanged.
  expect(lastUpdate).toEqual([{ id: "m1", newGeometry: { type: "Point", coordinates: [6, 5] } }]);
  expect(painter.pending).toBe(0);
});

test("filters", () => {
  const details = {
    ...mechanicDetails("a", "Ravi"),
    vehicle_types: ["two_wheeler" as const],
    service_category_ids: ["tyre"],
  };
  expect(showsMechanic({ ...NO_FILTERS, states: ["busy"] }, mechanic("a"), details)).toBe(false);
  expect(showsMechanic({ ...NO_FILTERS, vehicleType: "commercial" }, mechanic("a"), details)).toBe(false);
  expect(showsMechanic({ ...NO_FILTERS, categoryId: "tyre" }, mechanic("a"), details)).toBe(true);
  expect(showsMechanic({ ...NO_FILTERS, jobs: ["waiting"] }, mechanic("a"), details)).toBe(false);
  expect(showsJob({ ...NO_FILTERS, waitingLongerThanS: 30 }, job("1"), undefined, NOW)).toBe(true);
  expect(showsJob({ ...NO_FILTERS, waitingLongerThanS: 90 }, job("1"), undefined, NOW)).toBe(false);
  expect(
    showsJob({ ...NO_FILTERS, waitingLongerThanS: 30 }, job("1", { mechanic_profile_id: "a" }), undefined, NOW),
  ).toBe(false);
  expect(showsJob({ ...NO_FILTERS, categoryId: "tow" }, job("1"), undefined, NOW)).toBe(false);
});

test("how urgent a job looks", () => {
  expect(isWaiting(job("1"))).toBe(true);
  expect(jobLook(job("1"), undefined, NOW)).toBe("waiting");
  expect(jobLook(job("1"), undefined, NOW + 180_000)).toBe("long");
  expect(jobLook(job("1"), undefined, NOW + 600_000)).toBe("late");
  expect(jobLook(job("1", { urgency: "accident" }), undefined, NOW)).toBe("late");
  const accepted = job("1", { status: "en_route", mechanic_profile_id: "a" });
  const promised = jobDetails("1", { promised_at: new Date(NOW - 121_000).toISOString() });
  expect(jobLook(accepted, promised, NOW)).toBe("late");
  expect(jobLook({ ...accepted, status: "arrived" }, promised, NOW)).toBe("active");
  expect(jobLook(accepted, jobDetails("1", { concern: "stalled" }), NOW)).toBe("alarm");
  expect(minutesWaited(job("1"), NOW)).toBe("1");
  expect(minutesWaited(job("1"), NOW + 9_000_000)).toBe("99+");
});

test("a promise is broken after two minutes more, or a fifth of its time", () => {
  const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
  const isLateAt = (seconds: number, promisedInS: number) =>
    isLate("en_route", at(promisedInS), at(0), NOW + seconds * 1000);
  expect([isLateAt(305, 300), isLateAt(420, 300), isLateAt(421, 300)]).toEqual([false, false, true]);
  expect([isLateAt(2_159, 1_800), isLateAt(2_161, 1_800)]).toEqual([false, true]);
  expect([isLate("en_route", null, at(0), NOW), isLate("arrived", at(-900), at(-1_800), NOW)]).toEqual([false, false]);
});

test("a search finds the beginnings of words and any digits of a number", () => {
  expect(matches("ra ku", "Ravi Kumar")).toBe(true);
  expect(matches("avi", "Ravi Kumar")).toBe(false);
  expect(matches("3210", "Ravi", "+919876543210")).toBe(true);
  expect(matches("", null)).toBe(true);
});

test("the address says what the map shows, and nothing that it does not know", () => {
  const filters = {
    states: ["free" as const, "busy" as const],
    jobs: ["waiting" as const],
    vehicleType: "two_wheeler" as const,
    categoryId: "tyre",
    waitingLongerThanS: 300,
  };
  const written = (query: Record<string, string | null>) =>
    new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  expect(filtersOf(written(queryOf(filters)))).toEqual(filters);
  expect(filtersOf(written(queryOf(NO_FILTERS)))).toEqual(NO_FILTERS);
  expect(filtersOf(new URLSearchParams("states=asleep,free&vehicle=boat&waiting=-5"))).toEqual({
    ...NO_FILTERS,
    states: ["free"],
  });
  for (const chosen of [{ kind: "job" as const, id: "j1" }, { kind: "mechanic" as const, id: "m1" }, null])
    expect(chosenOf(written(queryOfChosen(chosen)))).toEqual(chosen);
});

test("the list begins with the jobs that need somebody, and among equals with the longest wait", () => {
  const fleet = new Fleet();
  fleet.snapshot(
    view({
      jobs: [
        job("active", { mechanic_profile_id: "m1", status: "en_route" }),
        job("new", { waiting_since: new Date(NOW - 1000).toISOString() }),
        job("older", { waiting_since: new Date(NOW - 2000).toISOString() }),
        job("calls"),
      ],
      details: {
        jobs: [jobDetails("calls", { has_open_callback: true }), jobDetails("older"), jobDetails("active")],
        mechanics: [],
        omitted_jobs: 0,
      },
    }),
  );
  const ids = (typed: string) =>
    jobRows(fleet, () => "Flat tyre", NO_FILTERS, typed, NOW).rows.map((row) => row.job.id);
  expect(ids("")).toEqual(["calls", "older", "new", "active"]);
  expect(ids("meera")).toEqual(["calls", "older", "active"]);
  expect(ids("flat")).toHaveLength(4);
  fleet.snapshot(view({ jobs: Array.from({ length: MOST + 5 }, (_, index) => job(`j${index}`)) }));
  const { rows, count } = jobRows(fleet, () => "", NO_FILTERS, "", NOW);
  expect([rows.length, count]).toEqual([MOST, MOST + 5]);
});

test("mechanics are listed by what they do, then by name", () => {
  const fleet = new Fleet();
  fleet.snapshot(
    view({
      mechanics: [mechanic("x", { state: "busy" }), mechanic("z"), mechanic("a"), mechanic("o", { state: "offered" })],
      details: {
        jobs: [],
        mechanics: [mechanicDetails("a", "Anand"), mechanicDetails("z", "Zubair")],
        omitted_jobs: 0,
      },
    }),
  );
  const { rows, count } = mechanicRows(fleet, NO_FILTERS, "");
  expect(rows.map((row) => row.mechanic.mechanic_profile_id)).toEqual(["o", "a", "z", "x"]);
  expect(count).toBe(4);
  expect(mechanicRows(fleet, NO_FILTERS, "zub").count).toBe(1);
});

test("details stay as long as what they are about is there, whatever box is shown", () => {
  const fleet = new Fleet();
  const details = { jobs: [jobDetails("j1")], mechanics: [mechanicDetails("m1", "Ravi")], omitted_jobs: 3 };
  fleet.snapshot(view({ jobs: [job("j1")], mechanics: [mechanic("m1")], details }));
  // Another box with the same job: its details are not sent again.
  fleet.snapshot(view({ jobs: [job("j1")] }));
  expect([fleet.jobDetails.size, fleet.mechanicDetails.size, fleet.omittedJobs]).toEqual([1, 0, 3]);
  const changed = { jobs: [jobDetails("j1", { concern: "dark" })], mechanics: [], omitted_jobs: 0 };
  const touched = fleet.change(changes({ details: changed }));
  expect([...touched.jobs]).toEqual(["j1"]);
  expect([fleet.jobDetails.get("j1")?.concern, fleet.omittedJobs]).toEqual(["dark", 0]);
  fleet.change(changes({ gone: { mechanics: [], jobs: ["j1"] } }));
  expect(fleet.jobDetails.size).toBe(0);
});
