// The progress of a payment, as its page shows it.
import { isPaid, type Payment } from "$shared/job/payments";

export type Stage =
  /** Nothing is open: the customer chooses how to pay. */
  | "choose"
  /** An order at the gateway waits for the payment. */
  | "checkout"
  /** The gateway has the money, but has not passed it on yet. */
  | "processing"
  /** The customer has not confirmed yet that they gave the cash. */
  | "cash"
  /** The mechanic has not confirmed yet that they received it. */
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
