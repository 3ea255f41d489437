// What a job's page knows, from frames of the socket and answers over HTTP, in whatever order they come.
import type { Schemas } from "$shared/api/client";
import { isBefore } from "$shared/api/payments";
import type { Frame } from "$shared/api/socket.svelte";
import { isPaid } from "../money/stage";

type Job = Schemas["Job"];
type LineItem = Schemas["LineItem"];
type Payment = Schemas["Payment"];
export type Status = Schemas["JobStatus"];

/** A position older than this is no longer where somebody is. */
export const FRESH_MS = 60_000;

export interface Position {
  lat: number;
  lng: number;
  heading: number | null;
  accuracyM: number | null;
  recordedAt: string;
  /** When it was recorded, by the clock of this device. */
  seenAtMs: number;
  /** The service itself calls it old. */
  isStale: boolean;
}

export interface Live {
  job: Job | null;
  /** In the order in which they were proposed. */
  items: LineItem[];
  /** By id. */
  payments: Record<string, Payment>;
  /** Of a resolved job; null until it is loaded. */
  dispute: Schemas["Dispute"] | null;
  position: Position | null;
  eta: { etaS: number; distanceM: number; atMs: number } | null;
  progress: { round: number; radiusKm: number; mechanicsOffered: number } | null;
  outlook: Schemas["Outlook"] | null;
  /** The time of this device when the service last said anything about the job; null for what was kept from an earlier visit. */
  heardAtMs: number | null;
  /** Items and payments may have changed unseen: load them. */
  isIncomplete: boolean;
  /** Items that frames brought, changed or withdrew since they were asked for. */
  changedItems: string[];
}

export const nothing: Live = {
  job: null,
  items: [],
  payments: {},
  dispute: null,
  position: null,
  eta: null,
  progress: null,
  outlook: null,
  heardAtMs: null,
  isIncomplete: true,
  changedItems: [],
};

export type Input =
  | { type: "frame"; frame: Frame; nowMs: number }
  /** What was kept on this device. */
  | { type: "kept"; job: Job; items: LineItem[] }
  /** Answers over HTTP. */
  | { type: "job"; job: Job; nowMs: number }
  | { type: "asked" }
  | {
      type: "details";
      items: LineItem[];
      payments: Payment[];
      dispute: Schemas["Dispute"] | null;
      location: Schemas["JobLocation"] | null;
      nowMs: number;
    };

const WITH_MECHANIC: readonly Status[] = ["accepted", "en_route", "arrived", "in_progress"];
const ON_THE_WAY: readonly Status[] = ["accepted", "en_route"];
const SEARCHING: readonly Status[] = ["pending", "dispatching"];
/** Nothing happens to these any more, but for money, ratings and disputes. */
const OVER: readonly Status[] = ["completed", "paid", "cancelled", "disputed", "resolved"];

export const hasMechanic = (status: Status): boolean => WITH_MECHANIC.includes(status);
export const isOnTheWay = (status: Status): boolean => ON_THE_WAY.includes(status);
export const isSearching = (status: Status): boolean => SEARCHING.includes(status);
export const isOver = (status: Status): boolean => OVER.includes(status);

export function reduce(live: Live, input: Input): Live {
  switch (input.type) {
    case "kept":
      return live.job ? live : { ...live, job: input.job, items: input.items };
    case "job":
      return { ...withJob(live, input.job), heardAtMs: input.nowMs };
    case "asked":
      return { ...live, changedItems: [] };
    case "details":
      return details(live, input);
    case "frame":
      return { ...framed(live, input.frame, input.nowMs), heardAtMs: input.nowMs };
  }
}

function framed(live: Live, frame: Frame, nowMs: number): Live {
  switch (frame.type) {
    case "job.snapshot":
      // What happened to items and payments before it is in no frame.
      return { ...withJob(live, ofFrame(live, frame.data as Job)), isIncomplete: true };
    case "job.updated":
      return withJob(live, ofFrame(live, frame.data as Job));
    case "line_item.updated": {
      const item = frame.data as LineItem;
      return {
        ...live,
        items: withItem(live.items, item),
        changedItems: [...new Set([...live.changedItems, item.id])],
      };
    }
    case "payment.updated":
      return { ...live, payments: withPayment(live.payments, frame.data as Payment) };
    case "dispatch.progress": {
      if (!live.job || !isSearching(live.job.status)) return live;
      const { round, radius_km, mechanics_offered } = frame.data;
      return { ...live, progress: { round, radiusKm: radius_km, mechanicsOffered: mechanics_offered } };
    }
    case "dispatch.outlook":
      return live.job && isSearching(live.job.status) ? { ...live, outlook: frame.data } : live;
    case "location.updated":
      return withPosition(live, frame.data, nowMs);
    case "eta.updated":
      if (!live.job || !isOnTheWay(live.job.status)) return live;
      return { ...live, eta: { etaS: frame.data.eta_s, distanceM: frame.data.distance_m, atMs: nowMs } };
    default:
      return live;
  }
}

/** A frame's job. Whether the customer asked to be called is in answers over HTTP alone. */
function ofFrame({ job: before }: Live, job: Job): Job {
  return { ...job, callback: before?.id === job.id ? before.callback : null };
}

/** The job as it is now; what belongs to a mechanic who lost it goes with them. */
function withJob(live: Live, job: Job): Live {
  const before = live.job;
  if (before && before.id === job.id && job.seq < before.seq) return live;
  const isSameMechanic = before?.mechanic_profile_id === job.mechanic_profile_id;
  const searches = isSearching(job.status);
  return {
    ...live,
    job,
    items: searches || (before !== null && before.mechanic_profile_id !== null && !isSameMechanic) ? [] : live.items,
    position: isSameMechanic && hasMechanic(job.status) ? live.position : null,
    eta: isSameMechanic && isOnTheWay(job.status) ? live.eta : null,
    progress: searches ? live.progress : null,
    // Why a search found nobody is what was said of it last.
    outlook: searches || job.status === "no_mechanic_found" ? (job.outlook ?? live.outlook) : null,
    isIncomplete: live.isIncomplete || !isSameMechanic || (hasDecision(job) && before?.status !== "resolved"),
  };
}

function withItem(items: LineItem[], item: LineItem): LineItem[] {
  const known = items.find(({ id }) => id === item.id);
  if (known && known.version >= item.version) return items;
  const others = items.filter(({ id }) => id !== item.id);
  if (item.status === "withdrawn") return others;
  return [...others, item].sort(inOrder);
}

function inOrder(a: LineItem, b: LineItem): number {
  return a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id);
}

function withPayment(payments: Record<string, Payment>, payment: Payment): Record<string, Payment> {
  const known = payments[payment.id];
  return known && isBefore(payment, known) ? payments : { ...payments, [payment.id]: payment };
}

function withPosition(live: Live, at: Schemas["Location"], nowMs: number): Live {
  if (!live.job || !hasMechanic(live.job.status) || live.job.mechanic_profile_id !== at.mechanic_profile_id)
    return live;
  if (live.position && live.position.recordedAt > at.recorded_at) return live;
  const { lat, lng, heading, accuracy_m, recorded_at, age_ms, stale } = at;
  return {
    ...live,
    position: {
      lat,
      lng,
      heading,
      accuracyM: accuracy_m,
      recordedAt: recorded_at,
      seenAtMs: nowMs - age_ms,
      isStale: stale,
    },
  };
}

function details(live: Live, { items, payments, dispute, location, nowMs }: Extract<Input, { type: "details" }>): Live {
  // What frames said meanwhile is newer than these.
  const changed = new Set(live.changedItems);
  let next: Live = {
    ...live,
    items: [...items.filter(({ id }) => !changed.has(id)), ...live.items.filter(({ id }) => changed.has(id))].sort(
      inOrder,
    ),
    changedItems: [],
    payments: payments.reduce(withPayment, live.payments),
    dispute: dispute ?? live.dispute,
    isIncomplete: false,
    heardAtMs: nowMs,
  };
  if (location?.location) next = withPosition(next, location.location, nowMs);
  if (location?.eta && next.job && isOnTheWay(next.job.status)) {
    next = {
      ...next,
      eta: {
        etaS: location.eta.eta_s,
        distanceM: location.eta.distance_m,
        atMs: nowMs - (location.location?.age_ms ?? 0),
      },
    };
  }
  return next;
}

/** How old the position is, and whether it must not be shown as current. */
export function age(position: Position, nowMs: number): { ms: number; isStale: boolean } {
  const ms = Math.max(0, nowMs - position.seenAtMs);
  return { ms, isStale: position.isStale || ms >= FRESH_MS };
}

/** When the mechanic should be there by their last position, by the clock of this device. An estimate is as old as the position that it
 *  was made from; it ages with it. */
export function arrivesAtMs(live: Live): number | null {
  if (!live.eta) return null;
  return Math.min(live.eta.atMs, live.position?.seenAtMs ?? live.eta.atMs) + live.eta.etaS * 1000;
}

/** Whether a dispute about the job was decided. */
export const hasDecision = (job: Job): boolean => job.status === "resolved" && job.disputed_at !== null;

/** What the decision of a dispute took off the price; null if there is none, or it is not loaded yet. */
export function reduction(live: Live): number | null {
  return live.job && hasDecision(live.job) ? (live.dispute?.price_reduction ?? null) : null;
}

/** Whether the customer can pay for the job now. */
export function isDue(live: Live): boolean {
  const paid = payment(live);
  if (!live.job || (paid && isPaid(paid))) return false;
  if (live.job.status === "resolved")
    return live.dispute?.status === "resolved" && live.dispute.settled_at === null && total(live) > 0;
  return live.job.status === "completed" || live.job.status === "disputed";
}

/** What the job costs if it ends as it is now. */
export function total(live: Live): number {
  if (!live.job) return 0;
  if (hasDecision(live.job) && live.dispute?.price_after != null) return live.dispute.price_after;
  if (live.job.final_price !== null) return live.job.final_price;
  const approved = live.items
    .filter(({ status }) => status === "approved")
    .reduce((sum, item) => sum + Math.round(item.total * 100), 0);
  return Math.max(0, Math.round(live.job.base_price * 100) + Math.round(live.job.travel_price * 100) + approved) / 100;
}

/** What the mechanic proposed and nobody decided. */
export function undecided(live: Live): LineItem[] {
  return live.items.filter(({ status }) => status === "proposed");
}

const newestFirst = (a: Payment, b: Payment): number => b.created_at.localeCompare(a.created_at);

/** The payment that the page is about: the one that was captured, else the one that is open, else the last try. */
export function payment(live: Live): Payment | null {
  const all = Object.values(live.payments)
    .filter(({ duplicate_of }) => duplicate_of === null)
    .sort(newestFirst);
  const paid = all.find(isPaid);
  return paid ?? all.find(({ is_open }) => is_open) ?? all[0] ?? null;
}
