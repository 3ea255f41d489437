// Which words fit an outlook.
import type { Schemas } from "$shared/api/client";

export type OutlookKind = "unserved" | "held" | "unlikely" | "maybe" | "likely";

const LIKELY_PERCENT = 80;
const UNLIKELY_PERCENT = 40;

export function outlookKind(outlook: Schemas["Outlook"]): OutlookKind {
  if (!outlook.is_served || (outlook.expected_wait_s === null && !outlook.is_held)) return "unserved";
  if (outlook.is_held) return "held";
  if (outlook.chance_in_time_percent >= LIKELY_PERCENT) return "likely";
  return outlook.chance_in_time_percent <= UNLIKELY_PERCENT ? "unlikely" : "maybe";
}
