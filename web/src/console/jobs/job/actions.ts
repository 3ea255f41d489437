// The actions that an admin may take on a job now.
import type { Schemas } from "$shared/api/client";
import type { Desk } from "../../parts/desk";

export type JobAction = "retry" | "assign" | "reassign" | "cancel" | "resolve" | "waive";

export const titles: Record<JobAction, string> = {
  retry: "Search again",
  assign: "Assign a mechanic",
  reassign: "Take from the mechanic",
  cancel: "Cancel the job",
  resolve: "Resolve the dispute",
  waive: "Waive the fee",
};
export const keyOf: Record<JobAction, string> = {
  retry: "s",
  assign: "a",
  reassign: "r",
  cancel: "x",
  resolve: "v",
  waive: "w",
};

/** The desk of each action. */
export const deskOf: Record<JobAction, Desk> = {
  retry: "dispatch",
  assign: "dispatch",
  reassign: "dispatch",
  cancel: "dispatch",
  resolve: "money",
  waive: "money",
};

const possible: Record<JobAction, Schemas["JobStatus"][]> = {
  retry: ["no_mechanic_found"],
  assign: ["dispatching", "no_mechanic_found"],
  reassign: ["accepted", "en_route", "arrived"],
  cancel: ["pending", "dispatching", "no_mechanic_found", "accepted", "en_route", "arrived", "in_progress"],
  resolve: ["disputed"],
  waive: ["cancelled"],
};

/** Returns the actions that the job's status allows; the service decides. */
export function actionsOf(job: Pick<Schemas["Job"], "status" | "cancellation_fee">): JobAction[] {
  return (Object.keys(possible) as JobAction[]).filter(
    (action) => possible[action].includes(job.status) && (action !== "waive" || (job.cancellation_fee ?? 0) > 0),
  );
}
