// Why a job lost its mechanic, in one sentence.
import type { Schemas } from "$shared/api/client";
import { m } from "$words";

export function whyLeft(reason: Schemas["LeaveReason"]): string {
  return {
    vehicle_trouble: m.customer_left_vehicle_trouble,
    cannot_reach: m.customer_left_cannot_reach,
    missing_parts: m.customer_left_missing_parts,
    wrong_skill: m.customer_left_wrong_skill,
    personal: m.customer_left_gave_back,
    other: m.customer_left_gave_back,
    silent: m.customer_left_silent,
    stalled: m.customer_left_not_coming,
    moving_away: m.customer_left_not_coming,
    late: m.customer_left_not_coming,
    reassigned: m.customer_left_reassigned,
  }[reason]();
}
