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
export const isUnderWay = (status: Status): boolean => UNDER_WAY.includes(status);
