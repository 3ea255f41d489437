// The job in progress: loaded at the start, and kept on the device for a start without a network.
import { answer, api } from "$shared/api/client";
import { NoAnswer } from "$shared/api/errors";
import { session } from "$shared/api/session.svelte";
import { socket } from "$shared/api/socket.svelte";
import type { Job } from "$shared/job/state";
import { isUnderWay, UNDER_WAY } from "$shared/job/status";
import { begins, type JobState } from "./job";
import { LiveJob } from "./live.svelte";

const KEY = "roadcall-mechanic-job";

export interface Kept {
  user: string;
  job: Job;
}

class CurrentJob {
  /** Null while there is none. After its end it stays until the mechanic has seen that. */
  live = $state.raw<LiveJob | null>(null);
  /** Whether the service could be asked. */
  isKnown = $state(false);
  /** The job that an admin gave to this mechanic; null once they have opened it. */
  assigned = $state<string | null>(null);

  #endings: (() => void)[] = [];

  get isUnderWay(): boolean {
    const state = this.live?.state;
    return state !== undefined && state.ended === null && isUnderWay(state.job.status);
  }

  start(): void {
    if (this.#endings.length > 0) return;
    const last = kept();
    if (last !== null) this.#show(last.job);
    this.#endings = [
      // An admin may assign a job without an offer: its frames arrive by themselves.
      socket.on("job.snapshot", ({ data }) => this.#arrived(data)),
      socket.on("job.updated", ({ data }) => this.#arrived(data)),
      socket.on("notification.created", ({ data: { type, data } }) => {
        if (type === "job_assigned" && typeof data["job_id"] === "string") this.#assign(data["job_id"]);
      }),
      socket.onOpen(() => void this.find()),
    ];
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#endings = [];
    this.live?.end();
    this.live = null;
    this.assigned = null;
    this.isKnown = false;
  }

  /** Requests the job in progress. */
  async find(): Promise<void> {
    if (session.state !== "signed_in") return;
    try {
      const page = await answer(
        api.GET("/jobs", { params: { query: { role: "mechanic", status: [...UNDER_WAY], limit: 1 } } }),
      );
      const job = page.data[0];
      if (job !== undefined && begins(this.live?.state ?? null, job)) this.#show(job);
      await this.live?.refresh();
      this.isKnown = true;
    } catch (error) {
      if (!(error instanceof NoAnswer)) this.isKnown = true;
    }
  }

  open(job: Job): void {
    if (this.live?.id === job.id && !begins(this.live.state, job)) {
      this.live.take({ type: "job", job });
      return;
    }
    const live = this.#show(job);
    if (navigator.onLine && session.state === "signed_in") void live.refresh();
  }

  /** Shows a job whose items and payments still have to be loaded. */
  #show(job: Job): LiveJob {
    this.live?.end();
    this.live = new LiveJob(job, keep);
    keep(this.live.state);
    return this.live;
  }

  /** Closes the job once the mechanic has seen its end. */
  close(): void {
    this.live?.end();
    this.live = null;
    localStorage.removeItem(KEY);
  }

  #assign(jobId: string): void {
    this.assigned = jobId;
    // Its frames may not have arrived yet, or the page still shows its previous end.
    if (this.live?.id !== jobId || !this.isUnderWay) void this.find();
  }

  #arrived(job: Job): void {
    if (this.isUnderWay || job.customer_id === session.userId) return;
    if (begins(this.live?.state ?? null, job)) this.open(job);
  }
}

function keep({ job, ended }: JobState): void {
  if (ended !== null) localStorage.removeItem(KEY);
  else if (session.userId !== null)
    localStorage.setItem(KEY, JSON.stringify({ user: session.userId, job } satisfies Kept));
}

/** Returns the job in progress when this app was last open, with its owner; null if another person is signed in now. */
export function kept(): Kept | null {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
    return found === null || (session.userId !== null && found.user !== session.userId) ? null : found;
  } catch {
    return null;
  }
}

/** Removes everything about the job from the device after a sign-out. */
export function forgetJob(): void {
  localStorage.removeItem(KEY);
}

export const current = new CurrentJob();
