import type { Schemas } from "./client";

type Payment = Schemas["Payment"];

/** Whether `payment` is from before `known`. What is captured stays so: the gateway's message about it may have been written before others. */
export function isBefore(payment: Payment, known: Payment): boolean {
  const isCaptured = payment.captured_at !== null;
  return isCaptured === (known.captured_at !== null)
    ? Date.parse(payment.updated_at) < Date.parse(known.updated_at)
    : !isCaptured;
}
