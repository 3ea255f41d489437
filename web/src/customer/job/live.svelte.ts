// A job that is followed: the reducer's state, kept up to date, and remembered for a start without a network.
import { untrack } from "svelte";
import { answer, api, type Schemas } from "$shared/api/client";
import { NoAnswer, Refusal } from "$shared/api/errors";
import { session } from "$shared/api/session.svelte";
import { socket } from "$shared/api/socket.svelte";
import { hasDecision } from "$shared/job/price";
import { nothing, reduce, type Input, type JobState } from "$shared/job/state";
import { isUnderWay } from "$shared/job/status";
import { keepJob, keptJob } from "../kept";

const AGAIN_MS = 5_000;

export class LiveJob {
  live: JobState = $state.raw(nothing);
  /** The reason why the job can't be shown at all. */
  refusal: Refusal | null = $state(null);
  /** When the shown state was kept, if it is from an earlier visit. */
  asOf: number | null = $state(null);

  #ends: (() => void)[] = [];
  #loading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;

  constructor(readonly id: string) {
    const kept = keptJob(id);
    if (kept) {
      this.asOf = kept.at;
      this.#take({ type: "kept", job: kept.job, items: kept.items });
    }
  }

  /** Follows the job until the returned function is called. */
  start(): () => void {
    // A change of the socket's state is no reason to follow again.
    return untrack(() => this.#follow());
  }

  #follow(): () => void {
    this.#isGone = false;
    this.#ends = [
      socket.follow(
        this.id,
        (frame) => this.#take({ type: "frame", frame, nowMs: Date.now() }),
        (refusal) => this.#refuse(refusal),
      ),
      socket.onOpen(() => void this.load()),
    ];
    void this.load();
    return () => {
      this.#isGone = true;
      clearTimeout(this.#timer);
      for (const end of this.#ends) end();
    };
  }

  /** Applies an answer of the service about the job. */
  know(job: Schemas["Job"]): void {
    this.#take({ type: "job", job });
  }
  knowPayment(payment: Schemas["Payment"]): void {
    this.#take({ type: "payment", payment });
  }
  knowItem(item: Schemas["LineItem"]): void {
    this.#take({ type: "item", item });
  }

  async load(): Promise<void> {
    if (this.#loading || this.#isGone) return;
    this.#loading = true;
    clearTimeout(this.#timer);
    const path = { params: { path: { id: this.id } } };
    this.#take({ type: "asked" });
    let isOvertaken = false;
    try {
      const job = await answer(api.GET("/jobs/{id}", path));
      this.#take({ type: "job", job });
      const [items, payments, dispute, location] = await Promise.all([
        answer(api.GET("/jobs/{id}/line-items", path)),
        answer(api.GET("/payments", { params: { query: { job_id: this.id, limit: 20 } } })),
        hasDecision(job) ? answer(api.GET("/jobs/{id}/dispute", path)) : null,
        isUnderWay(job.status) ? answer(api.GET("/jobs/{id}/location", path)) : null,
      ]);
      isOvertaken = (this.live.job?.seq ?? 0) > job.seq;
      this.#take({ type: "details", items: items.data, payments: payments.data, dispute, location, nowMs: Date.now() });
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 429) this.#refuse(error);
      else if (error instanceof Refusal || error instanceof NoAnswer)
        this.#timer = setTimeout(() => void this.load(), AGAIN_MS);
      else throw error;
    } finally {
      this.#loading = false;
    }
    // A snapshot arrived meanwhile: the lists may be older than it.
    if (isOvertaken) void this.load();
  }

  #refuse(refusal: Refusal): void {
    if (refusal.status !== 401) this.refusal = refusal;
  }

  #take(input: Input): void {
    const before = this.live;
    this.live = reduce(before, input);
    if (input.type === "kept" || input.type === "asked") return;
    this.asOf = null;
    const isNew = this.live.job !== before.job || this.live.items !== before.items;
    if (isNew && this.live.job && session.userId)
      keepJob({ userId: session.userId, job: this.live.job, items: this.live.items, at: Date.now() });
    // After a snapshot or a change of mechanic, items and payments are loaded again.
    if (this.live.isIncomplete && !before.isIncomplete) void this.load();
  }
}
