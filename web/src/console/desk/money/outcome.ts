// Who pays what when a dispute is resolved.
import type { Schemas } from "$shared/api/client";

export interface Shares {
  /** What the job costs in the end. */
  price: number;
  /** What goes back to the customer of what they paid. */
  refund: number;
  /** What the customer still has to pay. */
  due: number;
}

const cents = (amount: number) => Math.round(amount * 100) / 100;

/** What the customer still has to pay of `price`. */
export const outstanding = (price: number, paid: number): number => cents(Math.max(0, price - paid));

/**
 * `reduction` is what a split takes off the price; null if it can't be read yet. `paid` is what was captured and not
 * given back.
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

/** What became of a run of settlements: the list below shows as many. */
export function settlementsOf(count: number): string {
  if (count === 0) return "Nobody earned anything in this period, so there is nothing to settle";
  return count === 1 ? "This period has 1 settlement" : `This period has ${count} settlements`;
}
