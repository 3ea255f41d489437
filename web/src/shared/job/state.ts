// The state of a job from socket frames and HTTP answers, in whatever order they arrive. Pure.
//
// Data that is older than the known state changes nothing. Each object tells its own age: a job by `seq`, an item by
// `version`, a payment by `updated_at`, a position by `recorded_at`. The `seq` of a frame does not: an HTTP answer may
// include an event whose frame has yet to arrive.
import type { Schemas } from "../api/client";
import type { components } from "../api/frames";
import type { Frame } from "../api/socket.svelte";
import { withItem, withList, type LineItem } from "./items";
import { withPayment, type Payment } from "./payments";
import { hasDecision } from "./price";
import { isDriving, isSearching, isUnderWay } from "./status";
import { positionOf, type Estimate, type Position } from "./whereabouts";

type Shapes = components["schemas"];
export type Job = Shapes["Job"];

export interface JobState {
  readonly job: Job | null;
  /** In the order in which they were proposed, without the withdrawn ones. */
  readonly items: readonly LineItem[];
  /** For the job itself, the newest first; a cancellation fee is paid separately. */
  readonly payments: readonly Payment[];
  /** Of a resolved job; null until it is loaded. */
  readonly dispute: Schemas["Dispute"] | null;
  readonly position: Position | null;
  readonly eta: Estimate | null;
  readonly progress: Shapes["Progress"] | null;
  readonly outlook: Shapes["Outlook"] | null;
  /** Whether items and payments may have changed unnoticed and must be loaded. */
  readonly isIncomplete: boolean;
  /** Items that were proposed, changed or withdrawn since the list was requested. */
  readonly changedItems: readonly string[];
}

export const nothing: JobState = {
  job: null,
  items: [],
  payments: [],
  dispute: null,
  position: null,
  eta: null,
  progress: null,
  outlook: null,
  isIncomplete: true,
  changedItems: [],
};

export type Input =
  | { type: "frame"; frame: Frame; nowMs: number }
  /** The state that this device stored on an earlier visit. */
  | { type: "kept"; job: Job; items: readonly LineItem[] }
  /** Answers over HTTP. */
  | { type: "job"; job: Job }
  | { type: "item"; item: LineItem }
  | { type: "payment"; payment: Payment }
  /** The items are being requested. */
  | { type: "asked" }
  | ({ type: "details"; nowMs: number } & Partial<Details>);

interface Details {
  items: readonly LineItem[];
  payments: readonly Payment[];
  dispute: Schemas["Dispute"] | null;
  location: Schemas["JobLocation"] | null;
}

export function reduce(state: JobState, input: Input): JobState {
  switch (input.type) {
    case "frame":
      return framed(state, input.frame, input.nowMs);
    case "kept":
      return state.job === null ? { ...state, job: input.job, items: input.items } : state;
    case "job":
      return withJob(state, input.job);
    case "item":
      return changed(state, input.item);
    case "payment":
      return paid(state, input.payment);
    case "asked":
      return { ...state, changedItems: [] };
    case "details":
      return detailed(state, input, input.nowMs);
  }
}

function framed(state: JobState, frame: Frame, nowMs: number): JobState {
  switch (frame.type) {
    case "job.snapshot":
      // No frame reports the items and payments before it.
      return { ...withJob(state, ofFrame(state, frame.data)), isIncomplete: true };
    case "job.updated":
      return withJob(state, ofFrame(state, frame.data));
    case "line_item.updated":
      return changed(state, frame.data);
    case "payment.updated":
      return paid(state, frame.data);
    case "dispatch.progress":
      return isAt(state, isSearching) ? { ...state, progress: frame.data } : state;
    case "dispatch.outlook":
      return isAt(state, isSearching) ? { ...state, outlook: frame.data } : state;
    case "location.updated":
      return withPosition(state, frame.data, nowMs);
    case "eta.updated":
      return withEstimate(state, frame.data, nowMs);
    default:
      return state;
  }
}

/** Returns a frame's job. Only HTTP answers contain whether the customer asked to be called. */
function ofFrame({ job: before }: JobState, job: Job): Job {
  return { ...job, callback: before?.id === job.id ? before.callback : null };
}

const isAbout = ({ job }: JobState, jobId: string | null): boolean => job === null || job.id === jobId;
const isAt = ({ job }: JobState, at: (status: Job["status"]) => boolean): boolean => job !== null && at(job.status);

/** Returns the state with a new version of the job; the data of a mechanic who lost the job is dropped. */
function withJob(state: JobState, job: Job): JobState {
  const before = state.job;
  if (before && (before.id !== job.id || job.seq < before.seq)) return state;
  const isSameMechanic = before?.mechanic_profile_id === job.mechanic_profile_id;
  const hasLostMechanic = before !== null && before.mechanic_profile_id !== null && !isSameMechanic;
  const searches = isSearching(job.status);
  return {
    ...state,
    job,
    items: searches || hasLostMechanic ? [] : state.items,
    position: isSameMechanic && isUnderWay(job.status) ? state.position : null,
    // An estimate for one leg says nothing about another.
    eta: isSameMechanic && isDriving(job) && before?.loaded_at === job.loaded_at ? state.eta : null,
    progress: searches ? state.progress : null,
    // The last outlook tells why a search found nobody.
    outlook: searches || job.status === "no_mechanic_found" ? (job.outlook ?? state.outlook) : null,
    isIncomplete: state.isIncomplete || !isSameMechanic || (hasDecision(job) && before?.status !== "resolved"),
  };
}

function changed(state: JobState, item: LineItem): JobState {
  if (!isAbout(state, item.job_id)) return state;
  // An approved tow is the job's destination, which no frame of the job contains.
  const { job } = state;
  const agreed = item.status === "approved" && job?.destination === null ? item.destination : null;
  return {
    ...state,
    job:
      job && agreed
        ? { ...job, destination: { ...agreed, receiver_name: null, receiver_phone: null, driven_m: null } }
        : job,
    isIncomplete: state.isIncomplete || agreed !== null,
    items: withItem(state.items, item),
    changedItems: [...new Set([...state.changedItems, item.id])],
  };
}

function paid(state: JobState, payment: Payment): JobState {
  return isAbout(state, payment.job_id) ? { ...state, payments: withPayment(state.payments, payment) } : state;
}

function withPosition(state: JobState, location: Shapes["Location"], nowMs: number): JobState {
  if (!isAt(state, isUnderWay) || state.job?.mechanic_profile_id !== location.mechanic_profile_id) return state;
  if (state.position !== null && state.position.recorded_at > location.recorded_at) return state;
  return { ...state, position: positionOf(location, nowMs) };
}

function withEstimate(state: JobState, eta: Shapes["Eta"], madeAtMs: number): JobState {
  return state.job !== null && isDriving(state.job) ? { ...state, eta: { ...eta, madeAtMs } } : state;
}

function detailed(state: JobState, details: Partial<Details>, nowMs: number): JobState {
  const { items, payments, dispute, location } = details;
  let next: JobState = {
    ...state,
    items: items ? withList(state.items, items, state.changedItems) : state.items,
    changedItems: items ? [] : state.changedItems,
    dispute: dispute ?? state.dispute,
    isIncomplete: state.isIncomplete && !(items && payments),
  };
  for (const payment of payments ?? []) next = paid(next, payment);
  if (location?.location) next = withPosition(next, location.location, nowMs);
  if (location?.eta) next = withEstimate(next, location.eta, nowMs - (location.location?.age_ms ?? 0));
  return next;
}
