// Computes who pays how much when a dispute is resolved.
import type { Schemas } from "$shared/api/client";

export interface Shares {
  /** The job's final price. */
  price: number;
  /** The amount that is refunded to the customer. */
  refund: number;
  /** The amount that the customer still has to pay. */
  due: number;
}

const cents = (amount: number) => Math.round(amount * 100) / 100;

/** Returns the amount of `price` that the customer still has to pay. */
export const outstanding = (price: number, paid: number): number => cents(Math.max(0, price - paid));

/**
 * Returns both sides' shares. `reduction` is the amount that a split takes off the price, or null if it can't be read
 * yet. `paid` is the captured amount less refunds.
 */
export function shares(
  outcome: Schemas["DisputeOutcome"],
  finalPrice: number,
  paid: number,
  reduction: number | null,
): Shares | null {
  if (outcome === "split" && (reduction === null || !(reduction > 0) || reduction >= finalPrice)) return null;
  const price = outcome === "customer" ? 0 : outcome === "mechanic" ? finalPrice : cents(finalPrice - (reduction ?? 0));
  return { price, refund: cents(Math.max(0, paid - price)), due: outstanding(price, paid) };
}

/** Describes the outcome of a run of settlements; the list below shows the same number. */
export function settlementsOf(count: number): string {
  if (count === 0) return "Nobody earned anything in this period, so there is nothing to settle";
  return count === 1 ? "This period has 1 settlement" : `This period has ${count} settlements`;
}
