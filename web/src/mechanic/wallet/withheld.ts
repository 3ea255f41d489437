// Determines why money can't be withdrawn yet. Amounts are in whole paise. Pure.
import { paise } from "$shared/job/price";
import type { Schemas } from "$shared/api/client";

export type Withheld =
  /** Everything that was earned has been withdrawn. */
  | { why: "nothing" }
  /** The earnings first pay off a debt. */
  | { why: "owed"; owed: number }
  /** The balance is below the smallest withdrawal. */
  | { why: "too_little"; least: number; missing: number }
  /** `amount` is released at `at`, which is null while a dispute or a review has to be decided first. */
  | { why: "held"; amount: number; at: string | null };

/** Returns all reasons, the one to read first in front; none if something can be withdrawn now. */
export function withheld(wallet: Schemas["Wallet"], least: number): Withheld[] {
  const withdrawable = paise(wallet.withdrawable);
  if (withdrawable > 0 && withdrawable >= least) return [];
  const reasons: Withheld[] = [];
  // The owed amount may be negative.
  const owed = Math.abs(paise(wallet.owed));
  if (owed > 0) reasons.push({ why: "owed", owed });
  if (withdrawable > 0) reasons.push({ why: "too_little", least, missing: least - withdrawable });
  const held = paise(wallet.held) - paise(wallet.pending_withdrawals);
  const next = wallet.next_release;
  if (next) reasons.push({ why: "held", amount: paise(next.amount), at: next.at });
  else if (held > 0) reasons.push({ why: "held", amount: held, at: null });
  return reasons.length > 0 ? reasons : [{ why: "nothing" }];
}
