// The price of a job. Sums are in whole paise; amounts of the API are in rupees.
import type { LineItem } from "./items";
import type { JobState } from "./state";
import { isPaid, paymentOf } from "./payments";

type Job = NonNullable<JobState["job"]>;

/** Converts an amount of the API to whole paise. */
export const paise = (amount: number): number => Math.round(amount * 100);

/** Returns the price in paise with the approved items, and with the undecided ones too. */
export function price({ job, items }: Pick<JobState, "job" | "items">): { approved: number; withUndecided: number } {
  if (job === null) return { approved: 0, withUndecided: 0 };
  const sum = (status: string) =>
    items.filter((item) => item.status === status).reduce((total, item) => total + paise(item.total), 0);
  // A device may have stored a job before jobs had destinations.
  const tow = paise(job.destination_price ?? 0);
  const approved = paise(job.base_price) + paise(job.travel_price) + tow + sum("approved");
  return { approved: Math.max(0, approved), withUndecided: Math.max(0, approved + sum("proposed")) };
}

/** Returns the price in rupees once this undecided item is approved too. */
export function totalWith(state: Pick<JobState, "job" | "items">, item: JobState["items"][number]): number {
  const items = state.items.map((one) => (one.id === item.id ? { ...item, status: "approved" as const } : one));
  return price({ job: state.job, items }).approved / 100;
}

/** Reports whether an agreed tow is charged: not if the work ended without it. */
export const costsTow = ({ final_price, loaded_at }: Pick<Job, "final_price" | "loaded_at">): boolean =>
  final_price === null || loaded_at !== null;

/** Reports whether a dispute about the job was decided. */
export const hasDecision = ({ status, disputed_at }: Pick<Job, "status" | "disputed_at">): boolean =>
  status === "resolved" && disputed_at !== null;

/** Returns the price of the job if it ends in its current state. */
export function total(state: JobState): number {
  const { job, dispute } = state;
  if (job === null) return 0;
  if (hasDecision(job) && dispute?.price_after != null) return dispute.price_after;
  return job.final_price ?? price(state).approved / 100;
}

/** Returns how much a dispute's decision reduced the price; null if there is none, or it is not loaded yet. */
export function reduction({ job, dispute }: JobState): number | null {
  return job !== null && hasDecision(job) ? (dispute?.price_reduction ?? null) : null;
}

/** A part of a price, in paise. */
export type PricePart =
  { kind: "base" | "travel" | "tow" | "reduction"; paise: number } | { kind: "item"; item: LineItem; paise: number };

/** Returns the parts of `total`: they add up to it unless discounts exceed all else, which then is free. */
export function parts(state: JobState): PricePart[] {
  const { job, items } = state;
  if (job === null) return [];
  const isTowFree = !costsTow(job);
  const found: PricePart[] = [{ kind: "base", paise: paise(job.base_price) }];
  if (job.travel_price !== 0) found.push({ kind: "travel", paise: paise(job.travel_price) });
  if (job.destination && job.destination_price > 0)
    found.push({ kind: "tow", paise: isTowFree ? 0 : paise(job.destination_price) });
  for (const item of items.filter(({ status }) => status === "approved"))
    found.push({ kind: "item", item, paise: item.destination && isTowFree ? 0 : paise(item.total) });
  const takenOff = reduction(state);
  if (takenOff) found.push({ kind: "reduction", paise: -paise(takenOff) });
  return found;
}

/** The fields of a job that a list needs for its price. */
export type Listed = Pick<
  Job,
  "id" | "status" | "disputed_at" | "final_price" | "estimated_price" | "cancellation_fee" | "currency"
>;

/**
 * Returns the price of a job for a list: the price after a decision, the fee of a cancelled job, else the price or its
 * estimate. Null: there is no price, or it is not known yet.
 */
export function listPrice(job: Listed, priceAfter: number | null): number | null {
  if (job.status === "cancelled") return job.cancellation_fee || null;
  return hasDecision(job) ? priceAfter : (job.final_price ?? job.estimated_price);
}

/** Reports whether the customer can pay for the job now. */
export function isDue(state: JobState): boolean {
  const { job, dispute } = state;
  const payment = paymentOf(state);
  if (job === null || (payment !== null && isPaid(payment))) return false;
  if (job.status === "resolved")
    return dispute?.status === "resolved" && dispute.settled_at === null && total(state) > 0;
  return job.status === "completed" || job.status === "disputed";
}
