// Why a job lost its mechanic, in one sentence.
import type { Schemas } from "$shared/api/client";
import { m } from "$words";

export function whyLeft(reason: Schemas["LeaveReason"]): string {
  switch (reason) {
    case "vehicle_trouble":
      return m.customer_left_vehicle_trouble();
    case "cannot_reach":
      return m.customer_left_cannot_reach();
    case "missing_parts":
      return m.customer_left_missing_parts();
    case "wrong_skill":
      return m.customer_left_wrong_skill();
    case "personal":
    case "other":
      return m.customer_left_gave_back();
    case "silent":
      return m.customer_left_silent();
    case "stalled":
    case "moving_away":
    case "late":
      return m.customer_left_not_coming();
    case "reassigned":
      return m.customer_left_reassigned();
  }
}
