// The mechanics and jobs that are shown, and their looks.
import type { Schemas } from "$shared/api/client";
import type { FleetJob, FleetMechanic, JobDetails, MechanicDetails } from "./fleet";

/** An older position is shown as old. */
export const STALE_S = 60;
/** The time after which a waiting job turns amber, and then red. */
export const WAITS_LONG_S = 180;
export const WAITS_TOO_LONG_S = 600;

/**
 * A promise is the exact estimate at the moment of acceptance: it is broken two minutes later, or after a fifth of the
 * time if that is longer.
 */
const GRACE_MS = 120_000;
const GRACE_SHARE = 0.2;

export interface Filters {
  /** The states of mechanics to show; empty: all. */
  states: ("free" | "offered" | "busy")[];
  /** Jobs without a mechanic, or with one. */
  jobs: ("waiting" | "active")[];
  vehicleType: Schemas["VehicleType"] | null;
  categoryId: string | null;
  waitingLongerThanS: number | null;
}

export const NO_FILTERS: Filters = {
  states: [],
  jobs: [],
  vehicleType: null,
  categoryId: null,
  waitingLongerThanS: null,
};

/** The clicked object, whose details are shown next to the map. */
export interface Chosen {
  kind: "mechanic" | "job";
  id: string;
}

export const isWaiting = (job: Pick<FleetJob, "mechanic_profile_id">): boolean => job.mechanic_profile_id === null;

export function showsMechanic(
  filters: Filters,
  mechanic: FleetMechanic,
  details: MechanicDetails | undefined,
): boolean {
  if (filters.waitingLongerThanS !== null) return mechanic.state === "free" && filters.states.includes("free");
  if (filters.states.length > 0 && !filters.states.includes(mechanic.state)) return false;
  if (filters.states.length === 0 && filters.jobs.length > 0) return false;
  if (!details) return true;
  if (filters.vehicleType && !details.vehicle_types.includes(filters.vehicleType)) return false;
  return !filters.categoryId || details.service_category_ids.includes(filters.categoryId);
}

export function showsJob(filters: Filters, job: FleetJob, details: JobDetails | undefined, now: number): boolean {
  if (filters.jobs.length > 0 && !filters.jobs.includes(isWaiting(job) ? "waiting" : "active")) return false;
  if (filters.jobs.length === 0 && filters.states.length > 0 && filters.waitingLongerThanS === null) return false;
  if (filters.categoryId && job.service_category_id !== filters.categoryId) return false;
  if (filters.waitingLongerThanS !== null) {
    if (!isWaiting(job) || now - Date.parse(job.waiting_since) < filters.waitingLongerThanS * 1000) return false;
  }
  return !filters.vehicleType || !details || details.vehicle_type === filters.vehicleType;
}

/** Returns whether an expected mechanic is overdue. */
export function isLate(
  status: Schemas["JobStatus"],
  promisedAt: string | null,
  acceptedAt: string | null,
  now: number,
): boolean {
  if ((status !== "accepted" && status !== "en_route") || promisedAt === null) return false;
  const promised = Date.parse(promisedAt);
  return (
    now > promised + Math.max(GRACE_MS, acceptedAt === null ? 0 : (promised - Date.parse(acceptedAt)) * GRACE_SHARE)
  );
}

export type JobLook = "alarm" | "late" | "long" | "waiting" | "active";

/** Returns the urgency that a job's look shows. */
export function jobLook(job: FleetJob, details: JobDetails | undefined, now: number): JobLook {
  if (details?.concern || details?.has_open_callback) return "alarm";
  if (!isWaiting(job))
    return details && isLate(job.status, details.promised_at, details.accepted_at, now) ? "late" : "active";
  const waits = (now - Date.parse(job.waiting_since)) / 1000;
  if (waits > WAITS_TOO_LONG_S || job.urgency === "accident") return "late";
  return waits > WAITS_LONG_S ? "long" : "waiting";
}

/** Returns the minutes that a job has waited, as the text of its mark on the map. */
export function minutesWaited(job: FleetJob, now: number): string {
  const minutes = Math.floor(Math.max(0, now - Date.parse(job.waiting_since)) / 60_000);
  return minutes > 99 ? "99+" : String(minutes);
}

export const isStale = (mechanic: FleetMechanic, now: number): boolean =>
  now - Date.parse(mechanic.seen_at) > STALE_S * 1000;

/** Returns whether each typed word begins a word of the known texts. */
export function matches(typed: string, ...known: (string | null | undefined)[]): boolean {
  const text = ` ${known.filter(Boolean).join(" ").toLowerCase()}`;
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => text.includes(/^[\d+]+$/.test(word) ? word : ` ${word}`));
}
