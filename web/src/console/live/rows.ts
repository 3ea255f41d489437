// What the list beside the map shows, in which order.
import {
  jobLook,
  matches,
  showsJob,
  showsMechanic,
  type Filters,
  type JobFacts,
  type JobLook,
  type MechanicFacts,
} from "./choice";
import type { FleetJob, FleetMechanic } from "./fleet";

/** More rows than anybody reads are not made. */
export const MOST = 150;

export interface JobRow {
  job: FleetJob;
  facts: JobFacts | undefined;
  category: string;
  look: JobLook;
}
export interface MechanicRow {
  mechanic: FleetMechanic;
  facts: MechanicFacts | undefined;
}
/** `count` is of all, `rows` are the first of them. */
export interface Rows<Row> {
  rows: Row[];
  count: number;
}

interface Known {
  jobFacts: (job: FleetJob) => JobFacts | undefined;
  category: (id: string) => string;
}

const weight = { alarm: 0, late: 1, long: 2, waiting: 3, active: 4 } as const;
const collator = new Intl.Collator("en");

/** Those that need somebody first; among equals the longest wait. */
export function jobRows(
  jobs: Iterable<FleetJob>,
  { jobFacts, category }: Known,
  filters: Filters,
  typed: string,
  now: number,
): Rows<JobRow> {
  const rows: JobRow[] = [];
  for (const job of jobs) {
    const facts = jobFacts(job);
    if (!showsJob(filters, job, facts, now)) continue;
    const kind = category(job.service_category_id);
    if (typed && !matches(typed, facts?.customer, facts?.phone, facts?.address, facts?.plate, kind, job.id)) continue;
    rows.push({ job, facts, category: kind, look: jobLook(job, facts, now) });
  }
  rows.sort((a, b) => weight[a.look] - weight[b.look] || (a.job.waiting_since < b.job.waiting_since ? -1 : 1));
  return { rows: rows.slice(0, MOST), count: rows.length };
}

/**
 * Who has an offer, is free, is busy; by name. Thousands of them may be there: each is looked at once, and only those
 * that are shown are sorted.
 */
export function mechanicRows(
  mechanics: Iterable<FleetMechanic>,
  known: ReadonlyMap<string, MechanicFacts>,
  filters: Filters,
  typed: string,
): Rows<MechanicRow> {
  const groups: Record<FleetMechanic["state"], MechanicRow[]> = { offered: [], free: [], busy: [] };
  let count = 0;
  for (const mechanic of mechanics) {
    const facts = known.get(mechanic.mechanic_profile_id);
    if (!showsMechanic(filters, mechanic, facts)) continue;
    if (typed && !matches(typed, facts?.name, facts?.phone, mechanic.mechanic_profile_id)) continue;
    count += 1;
    if (groups[mechanic.state].length < MOST) groups[mechanic.state].push({ mechanic, facts });
  }
  const name = (row: MechanicRow) => row.facts?.name ?? "~";
  const rows = [groups.offered, groups.free, groups.busy]
    .flatMap((group) => group.sort((a, b) => collator.compare(name(a), name(b))))
    .slice(0, MOST);
  return { rows, count };
}
