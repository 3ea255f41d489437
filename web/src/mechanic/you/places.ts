// Determines which page shows the subject of a notification. Pure.

const JOB_UNDER_WAY =
  /^(job_(assigned|silent|corrected|cancelled|released|reassigned|delayed)|line_item_|call_|chat_message)/;
const WALLET = /^(withdrawal_|payment_captured|surplus_returned|refund_)/;

export function placeOf(type: string, data: Readonly<Record<string, unknown>>): string {
  if (type === "job_offer" || type === "job_lost_by_silence") return "/";
  if (type.startsWith("upi_")) return "/wallet/upi";
  if (WALLET.test(type)) return "/wallet";
  if (type.startsWith("mechanic_change_")) return "/you/work";
  if (type.startsWith("mechanic_")) return "/";
  if (type === "grievance_answered") return "/you/account";
  const job = data["job_id"];
  if (typeof job !== "string") return "/you/notifications";
  return JOB_UNDER_WAY.test(type) ? "/job" : `/jobs/${job}`;
}
