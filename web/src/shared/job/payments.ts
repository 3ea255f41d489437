// The payments of a job: which version of one is newer, and which of them counts.
import type { components } from "../api/frames";

export type Payment = components["schemas"]["Payment"];

const PAID: readonly Payment["status"][] = ["captured", "partially_refunded", "refunded"];

export const isPaid = ({ status }: Payment): boolean => PAID.includes(status);

/** Returns the payments with a new or changed one, the newest first. */
export function withPayment(payments: readonly Payment[], payment: Payment): readonly Payment[] {
  const known = payments.find(({ id }) => id === payment.id);
  if (known && isBefore(payment, known)) return payments;
  return [...payments.filter(({ id }) => id !== payment.id), payment].sort(
    (a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id),
  );
}

/** Reports whether a version is older. Captured stays captured: the gateway may have sent that message first. */
function isBefore(payment: Payment, known: Payment): boolean {
  const isCaptured = payment.captured_at !== null;
  if (isCaptured !== (known.captured_at !== null)) return !isCaptured;
  return Date.parse(payment.updated_at) < Date.parse(known.updated_at);
}

interface Paid {
  readonly payments: readonly Payment[];
}

/**
 * Returns the payment that counts: the captured one, else the open one. A second capture of one order never counts,
 * because it is refunded in full. What an organisation pays on its account is nothing between the two people.
 */
export function paymentOf({ payments }: Paid): Payment | null {
  const own = payments.filter(({ duplicate_of, channel }) => duplicate_of === null && channel !== "account");
  return own.find(isPaid) ?? own.find(({ is_open }) => is_open) ?? null;
}

/** Returns the payment that counts, else the last attempt. */
export function lastTryOf({ payments }: Paid): Payment | null {
  return paymentOf({ payments }) ?? payments.find(({ duplicate_of }) => duplicate_of === null) ?? null;
}
