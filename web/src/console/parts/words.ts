// The interface's codes in everyday words.
import type { Schemas } from "$shared/api/client";
import { duration } from "$shared/text/format";

type Kind = "plain" | "info" | "good" | "warn" | "bad";

const statuses: Record<Schemas["JobStatus"], [string, Kind]> = {
  pending: ["Scheduled", "plain"],
  dispatching: ["Searching", "warn"],
  accepted: ["Accepted", "info"],
  en_route: ["On the way", "info"],
  arrived: ["Arrived", "info"],
  in_progress: ["Being worked on", "info"],
  completed: ["To be paid", "good"],
  paid: ["Paid", "good"],
  cancelled: ["Cancelled", "plain"],
  no_mechanic_found: ["No mechanic found", "bad"],
  disputed: ["Disputed", "bad"],
  resolved: ["Resolved", "good"],
};

export const jobStatus = (status: Schemas["JobStatus"]): string => statuses[status]?.[0] ?? sentence(status);
export const jobStatusKind = (status: Schemas["JobStatus"]): Kind => statuses[status]?.[1] ?? "plain";

export const concern: Record<Schemas["JobConcern"], string> = {
  dark: "No position received",
  stalled: "Not moving",
  moving_away: "Driving away",
  slipping: "Will be late",
};

export const leaveReason: Record<Schemas["LeaveReason"], string> = {
  vehicle_trouble: "their own vehicle broke down",
  cannot_reach: "they can’t reach the place",
  missing_parts: "they don’t have the parts",
  wrong_skill: "it is not their kind of work",
  personal: "for personal reasons",
  other: "they gave it back",
  silent: "nothing came from their phone",
  stalled: "they did not move",
  moving_away: "they drove away",
  late: "they would have been late",
  reassigned: "an admin took it",
};

export const noticeLanguage: Record<Schemas["NoticeLanguage"], string> = { en: "English", hi: "Hindi", kn: "Kannada" };

export const vehicleType: Record<Schemas["VehicleType"], string> = {
  two_wheeler: "Scooter or motorcycle",
  three_wheeler: "Auto or three-wheeler",
  four_wheeler: "Car",
  commercial: "Truck or bus",
};

const waitReasons: Record<Schemas["WaitReason"], string> = {
  free: "A mechanic who is free is asked.",
  held: "Mechanics are free, but kept for jobs that only they can serve.",
  busy: "All mechanics who could come are busy.",
  declined: "Every mechanic who could come was asked, and none took the job.",
  out_of_reach: "Mechanics who do this are online, but none comes this far.",
  no_skill: "Mechanics are online near the place, but none does this for such a vehicle.",
  nobody_online: "No mechanic is online near the place.",
};

/** Describes what to expect of a search, and why. */
export function outlook({ reason, expected_wait_s, chance_in_time_percent }: Schemas["Outlook"]): string {
  const wait =
    expected_wait_s === null
      ? ""
      : ` Expect ${duration(expected_wait_s)}, in time with a chance of ${chance_in_time_percent} %.`;
  return waitReasons[reason] + wait;
}

/** Formats `some_code` as "Some code". */
export function sentence(code: string): string {
  const text = code.replaceAll("_", " ").replace(/\bupi\b/g, "UPI");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the part of an id by which people refer to it. */
export const shortId = (id: string): string => id.slice(-8);

/** Names for actions of the audit log whose codes say too little by themselves. */
const actions: Record<string, string> = { "list.read": "Looked at a list", export: "Exported data" };

/** Formats an action of the audit log, such as `job.waive_fee`, as "Job: waive fee". */
export function actionName(action: string): string {
  return actions[action] ?? sentence(action).replace(".", ": ");
}

/** Names the author of a change that no person made, judged by the audit log's state after it. */
export function withoutActor(after: object | null): string {
  const by = after && "given_by" in after ? after.given_by : null;
  return by === "identity_provider" ? "The identity provider" : "The command line";
}

/** Returns the name of a vehicle, if more than its plate is known. */
export const vehicleName = ({ make, model }: { make: string; model: string }): string =>
  `${make} ${model}`.trim() || "make not known";
