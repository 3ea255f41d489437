// What the statuses of a job mean to the people who look at it.
import type { components } from "../api/frames";

export type Status = components["schemas"]["JobStatus"];

export const SEARCHING: readonly Status[] = ["pending", "dispatching"];
export const ON_THE_WAY: readonly Status[] = ["accepted", "en_route"];
/** A mechanic has the job, and their position is shown with it. */
export const UNDER_WAY: readonly Status[] = ["accepted", "en_route", "arrived", "in_progress"];
/** The work is done. */
export const DONE: readonly Status[] = ["completed", "paid", "disputed", "resolved"];

export const isSearching = (status: Status): boolean => SEARCHING.includes(status);
export const isOnTheWay = (status: Status): boolean => ON_THE_WAY.includes(status);
interface Towable {
  readonly status: Status;
  readonly loaded_at: string | null;
}
/** The vehicle is on the truck, on its way to the destination. */
export const isTowing = ({ status, loaded_at }: Towable): boolean => status === "in_progress" && Boolean(loaded_at);
/** People wait for the mechanic: at the vehicle, or where it is taken. */
export const isDriving = (job: Towable): boolean => isOnTheWay(job.status) || isTowing(job);
export const isUnderWay = (status: Status): boolean => UNDER_WAY.includes(status);
