// How far a payment is, as the page for it shows it.
import { isPaid, type Payment } from "$shared/job/payments";

export type Stage =
  /** Nothing is open: choose how to pay. */
  | "choose"
  /** An order at the gateway waits to be paid. */
  | "checkout"
  /** The gateway has the money, but has not handed it over yet. */
  | "processing"
  /** The customer has not said yet that they gave the cash. */
  | "cash"
  /** The mechanic has not said yet that they got it. */
  | "cash_wait"
  | "paid"
  /** The last try failed; another one is possible. */
  | "failed";

export function stage(payment: Payment | null): Stage {
  if (!payment) return "choose";
  if (isPaid(payment)) return "paid";
  if (payment.status === "authorized") return "processing";
  if (!payment.is_open) return payment.status === "failed" && payment.failure !== null ? "failed" : "choose";
  if (payment.channel === "cash") return payment.cash_confirmed_by_customer_at === null ? "cash" : "cash_wait";
  return payment.failure === null ? "checkout" : "failed";
}
