// Texts about a call.
import { m } from "$words";
import type { CallState, End } from "./call";

export function callStatus({ phase, end }: Pick<CallState, "phase" | "end">): string {
  switch (phase) {
    case "incoming":
      return m.shared_call_incoming();
    case "calling":
      return m.shared_call_calling();
    case "ringing_there":
      return m.shared_call_ringing();
    case "answering":
    case "connecting":
      return m.shared_call_connecting();
    case "reconnecting":
      return m.shared_call_reconnecting();
    case "ended":
      return howItEnded(end);
    default:
      return "";
  }
}

function howItEnded(end: End | null): string {
  switch (end) {
    case "declined":
      return m.shared_call_end_declined();
    case "no_answer":
      return m.shared_call_end_no_answer();
    case "missed":
      return m.shared_call_end_missed();
    case "elsewhere":
      return m.shared_call_end_elsewhere();
    case "job_over":
      return m.shared_call_end_job_over();
    case "reassigned":
      return m.shared_call_end_reassigned();
    case "too_long":
      return m.shared_call_end_too_long();
    case "connection":
      return m.shared_call_end_connection();
    case "impossible":
      return "";
    default:
      return m.shared_call_ended();
  }
}

/** Formats minutes and seconds as a clock does. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
