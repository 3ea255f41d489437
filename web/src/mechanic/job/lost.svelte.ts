// Jobs that this mechanic lost because their phone was silent, and may take back while nobody else has them.
import { answer, api, type Schemas } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { Newest } from "$shared/api/newest";
import { session } from "$shared/api/session.svelte";
import { socket } from "$shared/api/socket.svelte";
import { onVisible } from "$shared/visible";
import { mechanic } from "../me.svelte";
import { tracker } from "../tracking/tracker.svelte";
import { current } from "./current.svelte";

/** A position that is at most this old counts as current. */
const RECENT_MS = 30_000;

class LostJobs {
  jobs: readonly Schemas["LostJob"][] = $state.raw([]);

  #endings: (() => void)[] = [];
  readonly #newest = new Newest();

  start(): void {
    this.#endings = [
      socket.onOpen(() => void this.load()),
      socket.on("notification.created", ({ data }) => {
        if (data.type === "job_lost_by_silence") void this.load();
      }),
      onVisible(() => void this.load()),
    ];
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#endings = [];
    this.#newest.overtake();
    this.jobs = [];
  }

  async load(): Promise<void> {
    if (session.state !== "signed_in" || !mechanic.isVerified) return;
    // The known jobs stay if it fails.
    await this.#newest.ask(
      () => answer(api.GET("/mechanics/me/lost-jobs")),
      ({ data }) => (this.jobs = data),
    );
  }

  /** Takes a job back. Returns whether the phone could report its position. */
  async takeBack(id: string): Promise<boolean> {
    const known = tracker.running ? tracker.fix : null;
    const isRecent = known !== null && Date.now() - known.at < RECENT_MS;
    // A phone that does not move may have nothing new to report: then it is where it was.
    const fix = isRecent ? known : ((await tracker.locate()) ?? known);
    if (fix === null) return false;
    // It counts as a current position.
    await mechanic.setAvailable(true, fix);
    try {
      const job = await answer(api.POST("/jobs/{id}/take-back", { params: { path: { id } } }));
      current.close();
      current.open(job);
      this.#newest.overtake();
      this.jobs = this.jobs.filter((one) => one.job_id !== id);
      return true;
    } catch (error) {
      // Somebody else has the job, or it is over.
      if (error instanceof Refusal) void this.load();
      throw error;
    }
  }
}

export const lost = new LostJobs();
