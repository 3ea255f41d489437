// That no new jobs are taken.
import type { Schemas } from "$shared/api/client";

export type Stop = Schemas["JobStopConfig"];

/** Whether it holds still: what the service said may be a while ago. */
export function holds(stop: Stop, now: number): boolean {
  return stop.ends_at === null || Date.parse(stop.ends_at) > now;
}
