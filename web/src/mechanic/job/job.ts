// A mechanic's job in progress: the service's data about it, and data that only this mechanic needs. Pure.
import type { Frames } from "$shared/api/socket.svelte";
import { nothing, reduce, type Input, type Job, type JobState as Known } from "$shared/job/state";
import { isOnTheWay, isTowing, isUnderWay } from "$shared/job/status";

/** The concern, and its beginning. */
export type Nudge = Frames["job.nudge"];

/** The way in which the job ended for this mechanic before it was done. */
export type Ended = "cancelled" | "reassigned" | "released" | "no_show";

/** The customer's corrections while the mechanic was on the job. */
export interface Correction {
  readonly pickupMovedM: number | null;
  readonly addressChanged: boolean;
  readonly vehicleChanged: boolean;
  readonly descriptionChanged: boolean;
}

export interface JobState extends Known {
  readonly job: Job;
  readonly nudge: Nudge | null;
  readonly correction: Correction | null;
  readonly ended: Ended | null;
}

export type Event =
  | Input
  /** The mechanic reacted to the nudge, or said that all is well. */
  | { type: "nudge_answered" }
  | { type: "correction_seen" }
  /** The mechanic gave the job back, or reported that nobody was there. */
  | { type: "given_up"; how: "released" | "no_show" }
  /** The service no longer shows the job to this mechanic. */
  | { type: "gone" };

export function begin(job: Job): JobState {
  return { ...nothing, job, nudge: null, correction: null, ended: null };
}

/**
 * Returns whether a job begins for this mechanic: a new job, or the same one, which they lost or gave back and got
 * again. Late data from before the end begin nothing.
 */
export function begins(known: JobState | null, job: Job): boolean {
  if (!isUnderWay(job.status)) return false;
  if (known === null || known.job.id !== job.id) return true;
  return known.ended !== null && job.seq > known.job.seq && job.accepted_at !== known.job.accepted_at;
}

export function apply(state: JobState, event: Event): JobState {
  switch (event.type) {
    case "nudge_answered":
      return { ...state, nudge: null };
    case "correction_seen":
      return { ...state, correction: null };
    case "given_up":
      return { ...state, ended: event.how, nudge: null };
    case "gone":
      return { ...state, ended: state.ended ?? "reassigned", nudge: null };
    case "frame":
      if (event.frame.type === "job.nudge") return nudged(state, event.frame.data);
      return withInput(state, event);
    default:
      return withInput(state, event);
  }
}

function nudged(state: JobState, { concern, since }: Nudge): JobState {
  return isOnTheWay(state.job.status) ? { ...state, nudge: { concern, since } } : state;
}

function withInput(state: JobState, input: Input): JobState {
  const before = state.job;
  const known = reduce(state, input);
  if (known === state) return state;
  const job = known.job ?? before;
  const ended = state.ended ?? endOf(before, job);
  // The known data of a job that they lost can still be read.
  if (ended === "reassigned" || ended === "released") return { ...state, ended, nudge: null };
  return {
    ...state,
    ...known,
    job,
    correction: isUnderWay(job.status) ? merged(state.correction, corrected(before, job)) : null,
    // A concern that is over no longer needs an answer.
    nudge: isOnTheWay(job.status) && !(before.concern !== null && job.concern === null) ? state.nudge : null,
    ended,
  };
}

function endOf(before: Job, job: Job): Ended | null {
  if (job.status === "cancelled") return job.cancel_reason_code === "customer_no_show" ? "no_show" : "cancelled";
  const isMine = before.mechanic_profile_id === null || job.mechanic_profile_id === before.mechanic_profile_id;
  return !isMine || job.status === "dispatching" || job.status === "no_mechanic_found" ? "reassigned" : null;
}

/** Returns the changes between two versions of a job that its customer can correct; null if there are none. */
export function corrected(before: Job, after: Job): Correction | null {
  const moved = Math.round(flatMetres(before, after));
  const correction: Correction = {
    pickupMovedM: moved >= 1 ? moved : null,
    addressChanged: before.pickup_address !== after.pickup_address,
    vehicleChanged: JSON.stringify(before.vehicle) !== JSON.stringify(after.vehicle) && isUnderWay(after.status),
    descriptionChanged: before.description !== after.description,
  };
  return Object.values(correction).some((value) => value !== null && value !== false) ? correction : null;
}

/** Merges two corrections that the mechanic has not looked at. */
function merged(older: Correction | null, newer: Correction | null): Correction | null {
  if (older === null || newer === null) return newer ?? older;
  return {
    pickupMovedM:
      older.pickupMovedM === null && newer.pickupMovedM === null
        ? null
        : (older.pickupMovedM ?? 0) + (newer.pickupMovedM ?? 0),
    addressChanged: older.addressChanged || newer.addressChanged,
    vehicleChanged: older.vehicleChanged || newer.vehicleChanged,
    descriptionChanged: older.descriptionChanged || newer.descriptionChanged,
  };
}

function flatMetres(a: Job, b: Job): number {
  const scale = Math.cos((a.pickup_lat * Math.PI) / 180);
  return 111_320 * Math.hypot(a.pickup_lat - b.pickup_lat, (a.pickup_lng - b.pickup_lng) * scale);
}

/** The mechanic's next step. */
export type Step = "set_out" | "drive" | "start" | "work" | "load" | "tow" | "payment" | "rate" | "over";

export function step(state: JobState): Step {
  if (state.ended !== null) return "over";
  switch (state.job.status) {
    case "accepted":
      return "set_out";
    case "en_route":
      return "drive";
    case "arrived":
      return "start";
    case "in_progress":
      if (!state.job.destination) return "work";
      return isTowing(state.job) ? "tow" : "load";
    case "completed":
      return "payment";
    case "paid":
    case "resolved":
    case "disputed":
      return "rate";
    default:
      return "over";
  }
}

/** Returns every step of a job, in order. */
export const stepsOf = ({ destination }: Pick<Job, "destination">): readonly Step[] => [
  "set_out",
  "drive",
  "start",
  ...(destination ? (["load", "tow"] as const) : (["work"] as const)),
  "payment",
  "rate",
];

/** Returns the place that the mechanic drives to: the vehicle, or with it the destination. */
export function targetOf(job: Job): { lat: number; lng: number; name: string | null; address: string } {
  if (isTowing(job) && job.destination) {
    const { lat, lng, workshop_name, address } = job.destination;
    return { lat, lng, name: workshop_name, address };
  }
  return { lat: job.pickup_lat, lng: job.pickup_lng, name: null, address: job.pickup_address };
}

/** Returns whether a tow can be offered on the spot: the job has no destination yet, and none is being decided. */
export const mayOfferTow = ({ job, items }: Pick<JobState, "job" | "items">): boolean =>
  (job.status === "arrived" || job.status === "in_progress") &&
  !job.destination &&
  !items.some(({ destination, status }) => destination !== null && status === "proposed");

/** Returns the milliseconds until the mechanic may report a no-show; null before the arrival. */
export function noShowInMs({ job }: JobState, now: number, afterS: number): number | null {
  if (job.status !== "arrived" || job.arrived_at === null) return null;
  return Math.max(0, Date.parse(job.arrived_at) + afterS * 1000 - now);
}
