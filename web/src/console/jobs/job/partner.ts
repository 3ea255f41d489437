import type { Schemas } from "$shared/api/client";

/** Returns the case that a job belongs to; null if no partner ordered it. */
export const caseOf = (job: Schemas["JobForAdmin"] & { case_id?: string | null }): string | null => job.case_id ?? null;
