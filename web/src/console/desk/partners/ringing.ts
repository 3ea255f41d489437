// Which offers of clubs ring. Pure.
import type { PartnerCaseForAdmin } from "$shared/partners/types";

/** Returns the offers that ring: nobody has turned their sound off, and no call about them was asked for. */
export const toRing = <O extends Pick<PartnerCaseForAdmin, "id" | "call_asked_at">>(
  open: readonly O[],
  silenced: ReadonlySet<string>,
): O[] => open.filter(({ id, call_asked_at }) => call_asked_at === null && !silenced.has(id));
