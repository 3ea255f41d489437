// The meaning of a job's statuses for people.
import type { components } from "../api/frames";

export type Status = components["schemas"]["JobStatus"];

export const SEARCHING: readonly Status[] = ["pending", "dispatching"];
export const ON_THE_WAY: readonly Status[] = ["accepted", "en_route"];
/** A mechanic has the job, and their position is shown. */
export const UNDER_WAY: readonly Status[] = ["accepted", "en_route", "arrived", "in_progress"];
/** The work is done. */
export const DONE: readonly Status[] = ["completed", "paid", "disputed", "resolved"];

export const isSearching = (status: Status): boolean => SEARCHING.includes(status);
export const isOnTheWay = (status: Status): boolean => ON_THE_WAY.includes(status);
interface Towable {
  readonly status: Status;
  readonly loaded_at: string | null;
}
/** Reports whether the vehicle is on the truck, on its way to the destination. */
export const isTowing = ({ status, loaded_at }: Towable): boolean => status === "in_progress" && Boolean(loaded_at);
/** Reports whether people wait for the mechanic: at the vehicle, or at its destination. */
export const isDriving = (job: Towable): boolean => isOnTheWay(job.status) || isTowing(job);
export const isUnderWay = (status: Status): boolean => UNDER_WAY.includes(status);
