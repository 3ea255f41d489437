// One job of the mechanic, kept up to date over the socket.
import { answer, api } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { Newest } from "$shared/api/newest";
import { socket } from "$shared/api/socket.svelte";
import { hasDecision } from "$shared/job/price";
import type { Job } from "$shared/job/state";
import { carryThrough } from "../connected";
import { apply, begin, type Event, type JobState } from "./job";

/** How long the first load waits for the first frame. */
const FOLLOWED_MS = 1_000;

export class LiveJob {
  state: JobState;
  /** Whether a step was sent that may not have arrived yet. */
  isWaiting = $state(false);

  readonly #newest = new Newest();
  #asked: Promise<boolean> = Promise.resolve(false);
  #unfollow: () => void;
  #isEnded = false;
  #isFollowed = () => {};
  readonly #followed = new Promise<void>((resolve) => (this.#isFollowed = resolve));
  #changed: (state: JobState) => void;

  constructor(job: Job, changed: (state: JobState) => void = () => {}) {
    this.state = $state.raw(begin(job));
    this.#changed = changed;
    this.#unfollow = socket.follow(
      job.id,
      (frame) => {
        this.take({ type: "frame", frame, nowMs: Date.now() });
        this.#isFollowed();
      },
      (refusal) => {
        this.#isFollowed();
        if (refusal.code === "NOT_FOUND") void this.refresh();
      },
    );
  }

  get id(): string {
    return this.state.job.id;
  }

  end(): void {
    this.#isEnded = true;
    this.#unfollow();
  }

  take(event: Event): void {
    const before = this.state;
    this.state = apply(before, event);
    if (this.state === before) return;
    this.#changed(this.state);
    if (this.state.isIncomplete && !before.isIncomplete) void this.refresh();
  }

  /** Loads the whole job once it is followed: lists loaded before the first frame may be out of date. */
  async load(): Promise<boolean> {
    await Promise.race([this.#followed, new Promise((resolve) => setTimeout(resolve, FOLLOWED_MS))]);
    // Another job may be shown by now, which this one must not replace on the device.
    return this.#isEnded ? false : this.refresh();
  }

  /** Loads the whole job again, with its items and payments. Returns whether that succeeded. */
  refresh(): Promise<boolean> {
    return (this.#asked = this.#refresh());
  }

  async #refresh(): Promise<boolean> {
    const path = { params: { path: { id: this.id } } };
    this.take({ type: "asked" });
    let hasWorked = true;
    const counts = await this.#newest.ask(
      () =>
        Promise.all([
          answer(api.GET("/jobs/{id}", path)).then(async (job) => ({
            job,
            dispute: hasDecision(job) ? await answer(api.GET("/jobs/{id}/dispute", path)) : null,
          })),
          answer(api.GET("/jobs/{id}/line-items", path)),
          answer(api.GET("/payments", { params: { query: { job_id: this.id, limit: 20 } } })),
        ]),
      ([{ job, dispute }, items, payments]) => {
        const isOvertaken = this.state.job.seq > job.seq;
        this.take({ type: "job", job });
        this.take({ type: "details", items: items.data, payments: payments.data, dispute, nowMs: Date.now() });
        // A frame arrived meanwhile: the lists may be older than it.
        if (isOvertaken) void this.refresh();
      },
      (error) => {
        // It was given to somebody else while this phone was offline.
        if (error instanceof Refusal && error.status === 404) this.take({ type: "gone" });
        hasWorked = false;
      },
    );
    // A request that was overtaken is answered by the later one.
    return counts ? hasWorked : this.#asked;
  }

  waiting = (isWaiting: boolean): void => void (this.isWaiting = isWaiting);

  /** Carries out a step that leads from one status to another, whatever happens to the network meanwhile. */
  async carryOut(leavesStatus: Job["status"], request: () => Promise<Job>): Promise<void> {
    const happened = async () => {
      const job = await answer(api.GET("/jobs/{id}", { params: { path: { id: this.id } } }));
      return job.status === leavesStatus ? null : job;
    };
    const job = await carryThrough(request, this.waiting, { happened });
    this.take({ type: "job", job });
  }
}
