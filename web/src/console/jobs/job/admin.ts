import type { Schemas } from "$shared/api/client";
import type { JobState } from "$shared/job/state";

type JobForAdmin = Schemas["JobForAdmin"];

/**
 * Returns the job's present state, with the names and numbers that only admins see. Frames don't have these: until they
 * are loaded again, a mechanic who has just got the job has none.
 */
export function forAdmin({ job, outlook }: JobState, loaded: JobForAdmin | null): JobForAdmin | null {
  if (job === null || loaded === null) return null;
  const isSameMechanic = job.mechanic_profile_id === loaded.mechanic_profile_id;
  return { ...loaded, ...(isSameMechanic ? {} : { mechanic_name: null, mechanic_phone: null }), ...job, outlook };
}
