// One job of the mechanic, kept up to date over the socket.
import { answer, api } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { socket } from "$shared/api/socket.svelte";
import { carryThrough } from "../connected";
import { apply, begin, type Event, type Job, type JobState, type LineItem, type Payment } from "./job";

export class LiveJob {
  state: JobState;
  /** A step was sent, and nobody knows yet whether it arrived. */
  isWaiting = $state(false);

  #unfollow: () => void;
  #changed: (state: JobState) => void;

  constructor(job: Job, changed: (state: JobState) => void = () => {}) {
    this.state = $state.raw(begin(job));
    this.#changed = changed;
    this.#unfollow = socket.follow(
      job.id,
      (frame) => {
        if (frame.type === "job.snapshot" || frame.type === "job.updated")
          this.take({ kind: "job", job: frame.data as Job });
        else if (frame.type === "line_item.updated") this.take({ kind: "item", item: frame.data as LineItem });
        else if (frame.type === "payment.updated") this.take({ kind: "payment", payment: frame.data as Payment });
      },
      (refusal) => {
        if (refusal.code === "NOT_FOUND") void this.refresh();
      },
    );
  }

  get id(): string {
    return this.state.job.id;
  }

  end(): void {
    this.#unfollow();
  }

  take(event: Event): void {
    this.state = apply(this.state, event);
    this.#changed(this.state);
  }

  /** Asks for the whole job again, with its items and payments. Whether that worked. */
  async refresh(): Promise<boolean> {
    const path = { params: { path: { id: this.id } } };
    try {
      const [job, items, payments] = await Promise.all([
        answer(api.GET("/jobs/{id}", path)),
        answer(api.GET("/jobs/{id}/line-items", path)),
        answer(api.GET("/payments", { params: { query: { job_id: this.id, limit: 20 } } })),
      ]);
      this.take({ kind: "job", job });
      this.take({ kind: "items", items: items.data });
      this.take({ kind: "payments", payments: payments.data });
      return true;
    } catch (error) {
      // It was given to somebody else while this phone was away.
      if (error instanceof Refusal && error.status === 404)
        this.take({ kind: "job", job: { ...this.state.job, status: "dispatching" } });
      return false;
    }
  }

  waiting = (isWaiting: boolean): void => void (this.isWaiting = isWaiting);

  /** Carries out a step that leads from one status to another, whatever the network does meanwhile. */
  async carryOut(leavesStatus: Job["status"], request: () => Promise<Job>): Promise<void> {
    const happened = async () => {
      const job = await answer(api.GET("/jobs/{id}", { params: { path: { id: this.id } } }));
      return job.status === leavesStatus ? null : job;
    };
    const job = await carryThrough(request, this.waiting, { happened });
    this.take({ kind: "job", job });
  }
}
