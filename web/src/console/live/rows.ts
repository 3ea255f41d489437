// The rows of the list next to the map, and their order.
import { jobLook, matches, showsJob, showsMechanic, type Filters, type JobLook } from "./choice";
import type { Fleet, FleetJob, FleetMechanic, JobDetails, MechanicDetails } from "./fleet";

/** The maximum number of rows: nobody reads more. */
export const MOST = 150;

export interface JobRow {
  job: FleetJob;
  details: JobDetails | undefined;
  category: string;
  look: JobLook;
}
export interface MechanicRow {
  mechanic: FleetMechanic;
  details: MechanicDetails | undefined;
}
/** `count` is the number of all rows, `rows` are the first of them. */
export interface Rows<Row> {
  rows: Row[];
  count: number;
}

const weight = { alarm: 0, late: 1, long: 2, waiting: 3, active: 4 } as const;
const collator = new Intl.Collator("en");

/** Sorts jobs: those with an alarm first, and among equals the longest wait. */
export function jobRows(
  { jobs, jobDetails }: Pick<Fleet, "jobs" | "jobDetails">,
  category: (id: string) => string,
  filters: Filters,
  typed: string,
  now: number,
): Rows<JobRow> {
  const rows: JobRow[] = [];
  for (const job of jobs.values()) {
    const details = jobDetails.get(job.id);
    if (!showsJob(filters, job, details, now)) continue;
    const kind = category(job.service_category_id);
    const words = [
      details?.customer_name,
      details?.customer_phone,
      details?.pickup_address,
      details?.vehicle_registration_number,
      kind,
      job.id,
    ];
    if (typed && !matches(typed, ...words)) continue;
    rows.push({ job, details, category: kind, look: jobLook(job, details, now) });
  }
  rows.sort((a, b) => weight[a.look] - weight[b.look] || (a.job.waiting_since < b.job.waiting_since ? -1 : 1));
  return { rows: rows.slice(0, MOST), count: rows.length };
}

/**
 * Returns mechanics by state (with an offer, free, busy) and name. There may be thousands: each is read once, and only
 * the shown ones are sorted.
 */
export function mechanicRows(
  { mechanics, mechanicDetails }: Pick<Fleet, "mechanics" | "mechanicDetails">,
  filters: Filters,
  typed: string,
): Rows<MechanicRow> {
  const groups: Record<FleetMechanic["state"], MechanicRow[]> = { offered: [], free: [], busy: [] };
  let count = 0;
  for (const mechanic of mechanics.values()) {
    const details = mechanicDetails.get(mechanic.mechanic_profile_id);
    if (!showsMechanic(filters, mechanic, details)) continue;
    const words = [details?.mechanic_name, details?.mechanic_phone, mechanic.mechanic_profile_id];
    if (typed && !matches(typed, ...words)) continue;
    count += 1;
    if (groups[mechanic.state].length < MOST) groups[mechanic.state].push({ mechanic, details });
  }
  const name = (row: MechanicRow) => row.details?.mechanic_name ?? "~";
  const rows = [groups.offered, groups.free, groups.busy]
    .flatMap((group) => group.sort((a, b) => collator.compare(name(a), name(b))))
    .slice(0, MOST);
  return { rows, count };
}
