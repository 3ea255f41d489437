// Judges cases, promises and bills of partners. The functions are pure.
import type { Schemas } from "../api/client";
import { isOnTheWay, isSearching } from "../job/status";

type Job = Schemas["JobSnapshot"];

/** Returns the whole seconds until a moment, and 0 once it has passed. */
export function secondsLeft(until: string | null, nowMs: number): number {
  return until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - nowMs) / 1000));
}

interface Offered {
  offer: Pick<Schemas["OfferSnapshot"], "stage" | "offered_until">;
}

/** Returns the offers that dispatchers can still answer, the most urgent first. */
export function openOffers<O extends Offered>(offers: readonly O[], nowMs: number): O[] {
  return offers
    .filter(({ offer: { stage, offered_until } }) => waits(stage) && secondsLeft(offered_until, nowMs) > 0)
    .sort((one, other) => Date.parse(one.offer.offered_until) - Date.parse(other.offer.offered_until));
}

const waits = (stage: Schemas["ClubStage"]): boolean => stage === "waiting" || stage === "call_asked";

/** Returns the promised time of arrival, extensions included; null if nothing is promised. */
export function promisedAt({ state, at }: Pick<Schemas["SnapshotPromise"], "state" | "at">): string | null {
  return state === "proposed" || state === "accepted" ? at : null;
}

export type PromiseView = "none" | "to_decide" | "refused" | "due" | "missed" | "kept";

/**
 * Judges a job's promise. Whether it is missed is left to the service's clock; the one of this device may be wrong.
 * Nobody keeps the promise of a job that ended before the arrival.
 */
export function promiseView({ promise, arrived_at, status }: Pick<Job, "promise" | "arrived_at" | "status">) {
  const at = promisedAt(promise);
  const view = (): PromiseView => {
    if (promise.missed_at !== null) return "missed";
    if (promise.state === "refused") return "refused";
    if (at === null) return "none";
    if (arrived_at !== null) return Date.parse(arrived_at) <= Date.parse(at) ? "kept" : "missed";
    if (!isSearching(status) && !isOnTheWay(status)) return "none";
    return promise.state === "proposed" ? "to_decide" : "due";
  };
  return { view: view(), at };
}

/** Returns whether the promise of a job can be extended: it is not broken, and the mechanic is on the way. */
export const isExtensible = ({ promise, arrived_at, status }: Pick<Job, "promise" | "arrived_at" | "status">) =>
  promisedAt(promise) !== null && promise.missed_at === null && arrived_at === null && isOnTheWay(status);

/** Returns the extra work that waits for the partner, the most urgent first. */
export const undecided = <I extends Pick<Schemas["PartnerItem"], "status" | "decide_by">>(items: readonly I[]): I[] =>
  items
    .filter(({ status, decide_by }) => status === "proposed" && decide_by !== null)
    .sort((one, other) => Date.parse(one.decide_by ?? "") - Date.parse(other.decide_by ?? ""));

type Sums = Pick<Schemas["PartnerBill"], "price" | "payable" | "driver_pays">;

/** Adds up bills without the rounding of fractions. */
export function sumsOf(bills: readonly Sums[]): Sums {
  const sum = (name: keyof Sums) => bills.reduce((paise, bill) => paise + Math.round(bill[name] * 100), 0) / 100;
  return { price: sum("price"), payable: sum("payable"), driver_pays: sum("driver_pays") };
}

/** Returns whether the partner can still cancel a job. */
export const isCancellable = ({ status }: Pick<Job, "status">): boolean =>
  ["pending", "dispatching", "no_mechanic_found", "accepted", "en_route", "arrived"].includes(status);

const USUAL_PAUSE_MS = 5_000;
const LONG_PAUSE_MS = 60_000;

interface Followed {
  status: Schemas["CaseStatus"];
  jobs: readonly Pick<Job, "status" | "bill">[];
}

/**
 * Returns how long to wait before the next look at a case; null once it changes no more. A closed case changes until
 * its jobs have their outcomes, and then seldom: a refund lowers the bill of a job that is not paid.
 */
export function pauseBeforeLook(known: Followed | null): number | null {
  if (known === null) return USUAL_PAUSE_MS;
  const { status, jobs } = known;
  if (status === "offered" || status === "open" || jobs.some(({ bill }) => bill === null)) return USUAL_PAUSE_MS;
  return jobs.every((job) => job.status === "paid" || job.status === "cancelled") ? null : LONG_PAUSE_MS;
}
