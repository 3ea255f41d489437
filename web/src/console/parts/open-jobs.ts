import { api, type Schemas } from "$shared/api/client";
import { pageOf } from "./lists";

/** A mechanic is being sought, or is on the job. */
export const OPEN: Schemas["JobStatus"][] = ["dispatching", "accepted", "en_route", "arrived", "in_progress"];
/** The size of a page of the interface. */
const PAGE = 100;
const MOST_PAGES = 20;

/** Loads all open jobs, the newest first. */
export async function openJobs(): Promise<Schemas["JobForAdmin"][]> {
  const jobs = new Map<string, Schemas["JobForAdmin"]>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, total } = await pageOf(
      api.GET("/admin/jobs", { params: { query: { status: OPEN, limit: PAGE, page } } }),
    );
    for (const job of data) jobs.set(job.id, job);
    if (page * PAGE >= total) break;
  }
  return [...jobs.values()];
}
