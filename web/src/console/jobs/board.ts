// The columns of the board, and the alarms of their jobs.
import type { Schemas } from "$shared/api/client";
import { concern } from "../parts/words";
import { isLate, WAITS_TOO_LONG_S } from "../live/choice";

type Job = Schemas["JobForAdmin"];

export interface Column {
  key: string;
  title: string;
  statuses: Schemas["JobStatus"][];
  /** A status that is shown below the others, and not counted with them: ended jobs that may begin again. */
  also?: Schemas["JobStatus"];
}

export const columns: Column[] = [
  { key: "search", title: "Without a mechanic", statuses: ["dispatching"], also: "no_mechanic_found" },
  { key: "way", title: "On the way", statuses: ["accepted", "en_route"] },
  { key: "vehicle", title: "At the vehicle", statuses: ["arrived", "in_progress"] },
  { key: "pay", title: "To be paid", statuses: ["completed"] },
  { key: "dispute", title: "Disputed", statuses: ["disputed"] },
  { key: "later", title: "Scheduled", statuses: ["pending"] },
];

/** The kinds of alarms; the worst comes first. */
export const alarms = {
  callback: "Wants a call",
  concern: "Concern on the way",
  none: "No mechanic found",
  late: "Over the promise",
  waiting: "Waits too long",
  disputed: "Disputed",
} as const;
export type Alarm = keyof typeof alarms;

/** Returns a job's alarms. */
export function alarmsOf(job: Job, now: number): Alarm[] {
  const found: Alarm[] = [];
  if (job.callback && !job.callback.done_at) found.push("callback");
  if (job.concern) found.push("concern");
  if (job.status === "no_mechanic_found") found.push("none");
  if (isLate(job.status, job.promised_at, job.accepted_at, now)) found.push("late");
  if (job.status === "dispatching" && now - Date.parse(since(job)) > WAITS_TOO_LONG_S * 1000) found.push("waiting");
  if (job.status === "disputed") found.push("disputed");
  return found;
}

/** Returns whether a job has such an alarm. An overdue mechanic is a concern, as in the header's counts. */
export function hasAlarm(job: Job, alarm: Alarm | "any", now: number): boolean {
  const raised = alarmsOf(job, now);
  if (alarm === "any") return raised.length > 0;
  return raised.includes(alarm) || (alarm === "concern" && raised.includes("late"));
}

/** Describes one alarm of a job. */
export function said(job: Job, alarm: Alarm): string {
  return alarm === "concern" && job.concern ? concern[job.concern] : alarms[alarm];
}

/** Returns since when a job has been in its status, as far as the job shows it. */
export function since(job: Job): string {
  const moments: Partial<Record<Schemas["JobStatus"], string | null>> = {
    accepted: job.accepted_at,
    en_route: job.en_route_at,
    arrived: job.arrived_at,
    in_progress: job.started_at,
    completed: job.completed_at,
    disputed: job.disputed_at,
    no_mechanic_found: job.updated_at,
    dispatching: job.scheduled_for && job.scheduled_for > job.created_at ? job.scheduled_for : job.created_at,
  };
  return moments[job.status] ?? job.created_at;
}

/** Returns each job once, as read last: a job that changes while lists are read in parallel may be in two of them. */
export function eachOnce(jobs: Job[]): Job[] {
  const last = new Map<string, Job>();
  for (const job of jobs) if (job.seq >= (last.get(job.id)?.seq ?? 0)) last.set(job.id, job);
  return [...last.values()];
}

/** Returns a column's count of jobs, with or without a mechanic, as everywhere else. */
export const counted = (column: Column, jobs: readonly Job[]): number =>
  jobs.filter((job) => column.statuses.includes(job.status)).length;

/** Returns the jobs of a column: alarms first, then the jobs that have been there longest. */
export function inColumn(column: Column, jobs: Iterable<Job>, now: number): Job[] {
  return [...jobs]
    .filter((job) => column.statuses.includes(job.status) || job.status === column.also)
    .sort(
      (a, b) =>
        Number(a.status === column.also) - Number(b.status === column.also) ||
        Number(alarmsOf(b, now).length > 0) - Number(alarmsOf(a, now).length > 0) ||
        since(a).localeCompare(since(b)),
    );
}

/** The groups of statuses that can restrict the list. */
export const groups: { key: string; title: string; statuses: Schemas["JobStatus"][] }[] = [
  {
    key: "open",
    title: "Open",
    statuses: ["pending", "dispatching", "accepted", "en_route", "arrived", "in_progress"],
  },
  ...columns,
  { key: "none", title: "No mechanic found", statuses: ["no_mechanic_found"] },
  { key: "over", title: "Over", statuses: ["paid", "cancelled", "resolved"] },
];

export const statusesOf = (key: string): Schemas["JobStatus"][] | undefined =>
  groups.find((group) => group.key === key)?.statuses;

/** Returns the narrowest group that has a status. */
export const groupOf = (status: Schemas["JobStatus"]): string =>
  [...columns, ...groups].find((group) => group.statuses.includes(status))?.key ?? "";
