// Texts about a call.
import { m } from "$words";
import type { CallState, End } from "./call";

/** What is said of an end; the others are said in general. */
const endings: Partial<Record<End, () => string>> = {
  declined: m.shared_call_end_declined,
  no_answer: m.shared_call_end_no_answer,
  missed: m.shared_call_end_missed,
  elsewhere: m.shared_call_end_elsewhere,
  job_over: m.shared_call_end_job_over,
  reassigned: m.shared_call_end_reassigned,
  too_long: m.shared_call_end_too_long,
  connection: m.shared_call_end_connection,
  impossible: () => "",
};

export function callStatus({ phase, end }: Pick<CallState, "phase" | "end">): string {
  const texts: Partial<Record<CallState["phase"], () => string>> = {
    incoming: m.shared_call_incoming,
    calling: m.shared_call_calling,
    ringing_there: m.shared_call_ringing,
    answering: m.shared_call_connecting,
    connecting: m.shared_call_connecting,
    reconnecting: m.shared_call_reconnecting,
    ended: end === null ? m.shared_call_ended : (endings[end] ?? m.shared_call_ended),
  };
  return texts[phase]?.() ?? "";
}

/** Formats minutes and seconds as a clock does. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
