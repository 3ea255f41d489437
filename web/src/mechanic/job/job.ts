// A mechanic's job under way, from the frames about it. Pure.
import type { Schemas } from "$shared/api/client";
import { isBefore } from "$shared/api/payments";

export type Job = Schemas["Job"];
export type LineItem = Schemas["LineItem"];
export type Payment = Schemas["Payment"];
export type Concern = NonNullable<Job["concern"]>;

/** How the job ended for this mechanic before it was done. */
export type Ended = "cancelled" | "reassigned" | "released" | "no_show";

/** What the customer corrected while the mechanic was on the job. */
export interface Correction {
  readonly pickupMovedM: number | null;
  readonly addressChanged: boolean;
  readonly vehicleChanged: boolean;
  readonly descriptionChanged: boolean;
}

export interface JobState {
  readonly job: Job;
  readonly items: readonly LineItem[];
  readonly payments: readonly Payment[];
  readonly nudge: { readonly concern: Concern; readonly since: string } | null;
  readonly correction: Correction | null;
  readonly ended: Ended | null;
}

export type Event =
  | { kind: "job"; job: Job }
  | { kind: "item"; item: LineItem }
  | { kind: "items"; items: readonly LineItem[] }
  | { kind: "payment"; payment: Payment }
  | { kind: "payments"; payments: readonly Payment[] }
  | { kind: "nudge"; concern: Concern; since: string }
  /** The mechanic did something about the nudge, or said that all is well. */
  | { kind: "nudge_answered" }
  | { kind: "correction_seen" }
  /** The mechanic gave the job back, or reported that nobody was there. */
  | { kind: "given_up"; how: "released" | "no_show" };

/** The statuses in which a mechanic has a job. */
export const UNDER_WAY: readonly Job["status"][] = ["accepted", "en_route", "arrived", "in_progress"];
/** The statuses in which the work is done. */
export const DONE: readonly Job["status"][] = ["completed", "paid", "disputed", "resolved"];

export function begin(job: Job): JobState {
  return { job, items: [], payments: [], nudge: null, correction: null, ended: null };
}

export function apply(state: JobState, event: Event): JobState {
  switch (event.kind) {
    case "job":
      return withJob(state, event.job);
    case "item": {
      if (event.item.job_id !== state.job.id) return state;
      const known = state.items.find(({ id }) => id === event.item.id);
      // An answer of HTTP and a frame may overtake each other.
      if (known && known.version > event.item.version) return state;
      if (known && isDecided(known) && !isDecided(event.item)) return state;
      const others = state.items.filter(({ id }) => id !== event.item.id);
      if (event.item.status === "withdrawn") return { ...state, items: others };
      return {
        ...state,
        items: known
          ? state.items.map((item) => (item.id === event.item.id ? event.item : item))
          : [...others, event.item],
      };
    }
    case "items":
      return { ...state, items: event.items.filter(({ status }) => status !== "withdrawn") };
    case "payment": {
      if (event.payment.job_id !== state.job.id) return state;
      const known = state.payments.find(({ id }) => id === event.payment.id);
      if (known && isBefore(event.payment, known)) return state;
      return { ...state, payments: [event.payment, ...state.payments.filter(({ id }) => id !== event.payment.id)] };
    }
    case "payments":
      return event.payments.reduceRight((next, payment) => apply(next, { kind: "payment", payment }), state);
    case "nudge":
      return isOnTheWay(state.job) ? { ...state, nudge: { concern: event.concern, since: event.since } } : state;
    case "nudge_answered":
      return { ...state, nudge: null };
    case "correction_seen":
      return { ...state, correction: null };
    case "given_up":
      return { ...state, ended: event.how, nudge: null };
  }
}

function withJob(state: JobState, job: Job): JobState {
  const before = state.job;
  if (job.id !== before.id || job.seq < before.seq) return state;
  const isMine = before.mechanic_profile_id === null || job.mechanic_profile_id === before.mechanic_profile_id;
  let ended = state.ended;
  if (ended === null && job.status === "cancelled")
    ended = job.cancel_reason_code === "customer_no_show" ? "no_show" : "cancelled";
  else if (ended === null && (!isMine || job.status === "dispatching" || job.status === "no_mechanic_found"))
    ended = "reassigned";
  // Once it is lost, later frames say nothing to this mechanic.
  if (ended !== null && ended !== "cancelled" && ended !== "no_show") return { ...state, ended, nudge: null };
  const correction = UNDER_WAY.includes(job.status) ? merged(state.correction, corrected(before, job)) : null;
  return {
    ...state,
    job: job.mechanic_profile_id === null ? { ...job, mechanic_profile_id: before.mechanic_profile_id } : job,
    correction,
    // A concern that is over needs no answer any more.
    nudge:
      state.nudge !== null && isOnTheWay(job) && !(before.concern !== null && job.concern === null)
        ? state.nudge
        : null,
    ended,
  };
}

export function isOnTheWay({ status }: Job): boolean {
  return status === "accepted" || status === "en_route";
}

/** What changed between two versions of a job that its customer can correct; null if nothing did. */
export function corrected(before: Job, after: Job): Correction | null {
  const moved = Math.round(flatMetres(before, after));
  const correction: Correction = {
    pickupMovedM: moved >= 1 ? moved : null,
    addressChanged: before.pickup_address !== after.pickup_address,
    vehicleChanged:
      JSON.stringify(before.vehicle) !== JSON.stringify(after.vehicle) && UNDER_WAY.includes(after.status),
    descriptionChanged: before.description !== after.description,
  };
  return Object.values(correction).some((value) => value !== null && value !== false) ? correction : null;
}

/** Two corrections that were not looked at are one. */
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

function isDecided({ status }: LineItem): boolean {
  return status === "approved" || status === "rejected";
}

/** What the mechanic does next. */
export type Step = "set_out" | "drive" | "start" | "work" | "payment" | "rate" | "over";

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
      return "work";
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

/** Items that the customer has yet to decide on. */
export function undecided(state: JobState): readonly LineItem[] {
  return state.items.filter(({ status }) => status === "proposed");
}

/** Whole paise of an amount of the interface. */
export function paise(amount: number): number {
  return Math.round(amount * 100);
}

/** What the job costs with the items that are approved, and with those too that wait, in paise. */
export function price({ job, items }: JobState): { approved: number; withUndecided: number } {
  const base = paise(job.base_price) + paise(job.travel_price);
  const sum = (status: LineItem["status"]) =>
    items.filter((item) => item.status === status).reduce((total, item) => total + paise(item.total), 0);
  const approved = base + sum("approved");
  return { approved, withUndecided: approved + sum("proposed") };
}

/** The payment that matters now: one that may still be paid, else the one that was. */
export function payment({ payments }: JobState): Payment | null {
  return payments.find(({ is_open }) => is_open) ?? payments.find(({ captured_at }) => captured_at !== null) ?? null;
}

/** Milliseconds until the mechanic may report that the customer is not there; null before the arrival. */
export function noShowInMs({ job }: JobState, now: number, afterS: number): number | null {
  if (job.status !== "arrived" || job.arrived_at === null) return null;
  return Math.max(0, Date.parse(job.arrived_at) + afterS * 1000 - now);
}
