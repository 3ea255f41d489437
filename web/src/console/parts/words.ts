// The interface's words as people say them.
import type { Schemas } from "$shared/api/client";

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

export const jobStatuses = Object.keys(statuses) as Schemas["JobStatus"][];
export const jobStatus = (status: Schemas["JobStatus"]): string => statuses[status]?.[0] ?? sentence(status);
export const jobStatusKind = (status: Schemas["JobStatus"]): Kind => statuses[status]?.[1] ?? "plain";

export const concern: Record<Schemas["JobConcern"], string> = {
  dark: "No position received",
  stalled: "Not moving",
  moving_away: "Driving away",
  slipping: "Will be late",
};

export const vehicleType: Record<Schemas["VehicleType"], string> = {
  two_wheeler: "Two-wheeler",
  three_wheeler: "Three-wheeler",
  four_wheeler: "Car",
  commercial: "Commercial",
};

/** `some_code` as "Some code". */
export function sentence(code: string): string {
  const text = code.replaceAll("_", " ").replace(/\bupi\b/g, "UPI");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The part of an id by which people refer to it. */
export const shortId = (id: string): string => id.slice(-8);
