// The stop of new jobs.
import type { Schemas } from "$shared/api/client";

export type Stop = Schemas["JobStopConfig"];

/** Returns whether the stop is still in force: the service's answer may be a while old. */
export function holds(stop: Stop, now: number): boolean {
  return stop.ends_at === null || Date.parse(stop.ends_at) > now;
}
