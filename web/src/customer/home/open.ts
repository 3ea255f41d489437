// The jobs that still need something from a customer.
import type { Schemas } from "$shared/api/client";

type Job = Pick<Schemas["Job"], "status" | "scheduled_for">;

export const OPEN: readonly Schemas["JobStatus"][] = [
  "pending",
  "dispatching",
  "accepted",
  "en_route",
  "arrived",
  "in_progress",
  "completed",
  "no_mechanic_found",
  "disputed",
];

const UNDER_WAY: readonly Schemas["JobStatus"][] = [
  "dispatching",
  "accepted",
  "en_route",
  "arrived",
  "in_progress",
  "completed",
];

/** Returns whether somebody who opens the app wants to see this job at once. */
export function isUnderWay(job: Job): boolean {
  return UNDER_WAY.includes(job.status) || (job.status === "pending" && job.scheduled_for === null);
}
