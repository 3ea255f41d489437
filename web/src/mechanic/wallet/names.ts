// Names for the movements of money.
import { m } from "$words";
import type { Schemas } from "$shared/api/client";

export const disputeReasons: readonly Schemas["DisputeReason"][] = [
  "not_paid",
  "behaviour",
  "damage",
  "wrong_items",
  "other",
];

export function disputeReasonName(reason: Schemas["DisputeReason"]): string {
  return {
    work_not_done: m.mechanic_reason_work_not_done,
    poor_work: m.mechanic_reason_poor_work,
    overcharged: m.mechanic_reason_overcharged,
    wrong_items: m.mechanic_reason_wrong_items,
    damage: m.mechanic_reason_damage,
    behaviour: m.mechanic_reason_behaviour,
    not_paid: m.mechanic_reason_not_paid,
    other: m.mechanic_reason_other,
  }[reason]();
}

/** Returns the name of the purpose of a wallet line. */
export function transactionName(kind: string): string {
  const known: Record<string, () => string> = {
    capture: m.mechanic_entry_capture,
    cash: m.mechanic_entry_cash,
    clear: m.mechanic_entry_clear,
    dispute_hold: m.mechanic_entry_dispute_hold,
    fee: m.mechanic_entry_fee,
    fee_waived: m.mechanic_entry_fee_waived,
    refund: m.mechanic_entry_refund,
    refund_paid: m.mechanic_entry_refund,
    refund_undone: m.mechanic_entry_refund_undone,
    withdrawal_hold: m.mechanic_entry_withdrawal_hold,
    withdrawal_paid: m.mechanic_entry_withdrawal_paid,
    withdrawal_release: m.mechanic_entry_withdrawal_back,
    withdrawal_retaken: m.mechanic_entry_withdrawal_retaken,
    withdrawal_returned: m.mechanic_entry_withdrawal_back,
  };
  return known[kind]?.() ?? kind.replaceAll("_", " ");
}

export function accountName(account: Schemas["WalletAccount"]): string {
  return { available: m.mechanic_account_available, held: m.mechanic_account_held, owed: m.mechanic_account_owed }[
    account
  ]();
}

export function withdrawalName(status: Schemas["WithdrawalStatus"]): string {
  return {
    requested: m.mechanic_withdrawal_requested,
    processing: m.mechanic_withdrawal_processing,
    processed: m.mechanic_withdrawal_processed,
    failed: m.mechanic_withdrawal_failed,
    reversed: m.mechanic_withdrawal_reversed,
  }[status]();
}

export const withdrawalKinds = {
  requested: "info",
  processing: "info",
  processed: "good",
  failed: "bad",
  reversed: "bad",
} as const;
