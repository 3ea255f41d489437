// What follows from cases, promises and bills of partners. Pure.
import type { PartnerApproval, PartnerBill, PartnerCaseForAdmin, PartnerJob, PartnerPromise } from "./types";

type Offered = Pick<PartnerCaseForAdmin, "status" | "offered_until">;

/** Returns the whole seconds until a moment, and 0 once it has passed. */
export function secondsLeft(until: string | null, nowMs: number): number {
  return until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - nowMs) / 1000));
}

/** Returns the offers that can still be answered, the most urgent first. */
export function openOffers<O extends Offered>(cases: readonly O[], nowMs: number): O[] {
  return cases
    .filter(({ status, offered_until }) => status === "offered" && secondsLeft(offered_until, nowMs) > 0)
    .sort((one, other) => Date.parse(one.offered_until ?? "") - Date.parse(other.offered_until ?? ""));
}

/** Returns the promised time of arrival with its last extension; null if nothing is promised. */
export function promisedAt({ state, at, extended }: PartnerPromise): string | null {
  return state === "proposed" || state === "accepted" ? (extended?.at ?? at) : null;
}

export type PromiseView = "none" | "to_decide" | "refused" | "due" | "missed" | "kept";

/** Judges a job's promise as of now. `arrived_at` ends the clock. */
export function promiseView({ promise, arrived_at }: Pick<PartnerJob, "promise" | "arrived_at">, nowMs: number) {
  const at = promisedAt(promise);
  const view = (): PromiseView => {
    if (promise.missed) return "missed";
    if (promise.state === "refused") return "refused";
    if (at === null) return "none";
    if (arrived_at !== null) return Date.parse(arrived_at) <= Date.parse(at) ? "kept" : "missed";
    if (nowMs > Date.parse(at)) return "missed";
    return promise.state === "proposed" ? "to_decide" : "due";
  };
  return { view: view(), at };
}

/** Returns whether the promise of a job can be extended: somebody relies on it, and nobody has arrived. */
export const isExtensible = ({ promise, arrived_at, status }: PartnerJob): boolean =>
  promisedAt(promise) !== null && arrived_at === null && (status === "accepted" || status === "en_route");

/** Returns the extra work that the partner has not decided on, the most urgent first. */
export const undecided = (approvals: readonly PartnerApproval[]): PartnerApproval[] =>
  approvals
    .filter(({ item, decided_at }) => decided_at === null && item.status === "proposed")
    .sort((one, other) => Date.parse(one.due_at) - Date.parse(other.due_at));

export interface Sums {
  price: number;
  payable: number;
  driver: number;
}

/** Adds up bills without the rounding of fractions. */
export function sumsOf(bills: readonly Pick<PartnerBill, keyof Sums>[]): Sums {
  const sum = (name: keyof Sums) => bills.reduce((paise, bill) => paise + Math.round(bill[name] * 100), 0) / 100;
  return { price: sum("price"), payable: sum("payable"), driver: sum("driver") };
}

/** Returns whether a mechanic is on the job. */
export const isUnderWay = ({ status }: Pick<PartnerJob, "status">): boolean =>
  ["accepted", "en_route", "arrived", "in_progress"].includes(status);

/** Returns whether the partner can still cancel a job. */
export const isCancellable = ({ status }: Pick<PartnerJob, "status">): boolean =>
  ["pending", "dispatching", "no_mechanic_found", "accepted", "en_route", "arrived"].includes(status);
