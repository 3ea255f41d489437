// What is known of mechanics, jobs and kinds of help beyond where they are: names, phones, vehicles. Asked for once,
// and now and then again.
import { answer, api, type Schemas } from "$shared/api/client";
import { pageOf } from "../parts/lists";
import { poll } from "../parts/poll";
import type { JobFacts, MechanicFacts } from "./choice";

/** As many as a page of the interface has. */
const PAGE = 100;
/** More mechanics than a map shows one by one are not asked for. */
const MOST_PAGES = 20;
const KNOWN_EVERY_MS = 300_000;
const JOBS_EVERY_MS = 10_000;
export const OPEN: Schemas["JobStatus"][] = ["dispatching", "accepted", "en_route", "arrived", "in_progress"];

class Directory {
  categories: Schemas["ServiceCategory"][] = $state.raw([]);
  mechanics: ReadonlyMap<string, MechanicFacts> = $state.raw(new Map());
  /** Open jobs by id. */
  jobs: ReadonlyMap<string, Schemas["JobForAdmin"]> = $state.raw(new Map());

  /** The last thing that was asked for did not come. */
  isIncomplete = $state(false);

  /** Loads everything, and now and then again. Returns an end. */
  keep(): () => void {
    const attempt = (load: () => Promise<void>) => async () => {
      try {
        await load();
        this.isIncomplete = false;
      } catch {
        this.isIncomplete = true;
      }
    };
    const ends = [
      poll(
        attempt(() => this.loadCategories()),
        KNOWN_EVERY_MS,
      ),
      poll(
        attempt(() => this.loadMechanics()),
        KNOWN_EVERY_MS,
      ),
      poll(
        attempt(() => this.loadJobs()),
        JOBS_EVERY_MS,
      ),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Kinds of help change rarely. */
  async loadCategories(): Promise<void> {
    if (this.categories.length > 0) return;
    this.categories = (await answer(api.GET("/service-categories"))).data;
  }

  category(id: string): string {
    return this.categories.find((category) => category.id === id)?.name ?? "";
  }

  async loadMechanics(): Promise<void> {
    const known = new Map<string, MechanicFacts>();
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const { data, total } = await pageOf(
        api.GET("/admin/mechanics", { params: { query: { status: "verified", limit: PAGE, page } } }),
      );
      for (const mechanic of data) {
        known.set(mechanic.id, {
          name: mechanic.verified_name ?? mechanic.name,
          phone: mechanic.phone,
          vehicleTypes: mechanic.vehicle_types,
          categoryIds: mechanic.service_category_ids,
        });
      }
      if (page * PAGE >= total) break;
    }
    this.mechanics = known;
  }

  async loadJobs(): Promise<void> {
    const known = new Map<string, Schemas["JobForAdmin"]>();
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const { data, total } = await pageOf(
        api.GET("/admin/jobs", { params: { query: { status: OPEN, limit: PAGE, page } } }),
      );
      for (const job of data) known.set(job.id, job);
      if (page * PAGE >= total) break;
    }
    this.jobs = known;
  }

  jobFacts(id: string): JobFacts | undefined {
    const job = this.jobs.get(id);
    if (!job) return undefined;
    return {
      customer: job.customer_name,
      phone: job.customer_phone,
      address: job.pickup_address,
      vehicleType: job.vehicle_type,
      plate: job.vehicle.registration_number,
      concern: job.concern,
      hasCallback: job.callback !== null && job.callback.done_at === null,
      promisedAt: job.promised_at,
      acceptedAt: job.accepted_at,
    };
  }
}

export const directory = new Directory();
