// The last jobs, kept on this device so that the app shows something without a network. Signing out removes them.
import type { Schemas } from "$shared/api/client";

export interface Kept {
  userId: string;
  job: Schemas["Job"];
  items: readonly Schemas["LineItem"][];
  /** The time of the service's answer, by the clock of this device. */
  at: number;
}

const KEY = "roadcall-customer-jobs";
const MOST = 3;

export function keptJobs(): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as Kept[]) : [];
  } catch {
    return [];
  }
}

export function keptJob(id: string): Kept | null {
  return keptJobs().find(({ job }) => job.id === id) ?? null;
}

export function keepJob(kept: Kept): void {
  const others = keptJobs().filter(({ job, userId }) => job.id !== kept.job.id && userId === kept.userId);
  write([kept, ...others].slice(0, MOST));
}

/** Calls `listener` when another tab of this browser has stored something new. Returns a function that ends this. */
export function onKeptElsewhere(listener: () => void): () => void {
  const changed = ({ key }: StorageEvent) => key === KEY && listener();
  addEventListener("storage", changed);
  return () => removeEventListener("storage", changed);
}

export function forgetJobs(): void {
  localStorage.removeItem(KEY);
}

function write(jobs: Kept[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(jobs));
  } catch {
    // A full or forbidden storage only prevents the start without a network.
  }
}
