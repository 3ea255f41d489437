// What goes on now, for the counts in the navigation.
import { answer, api, type Schemas } from "$shared/api/client";
import { poll } from "../parts/poll";

const EVERY_MS = 10_000;

class Live {
  now: Schemas["Live"] | null = $state.raw(null);
  /** Whether the last look failed. */
  isStale = $state(false);

  look = async (): Promise<void> => {
    try {
      this.now = await answer(api.GET("/admin/live"));
      this.isStale = false;
    } catch {
      this.isStale = true;
    }
  };

  keep(): () => void {
    return poll(this.look, EVERY_MS);
  }

  count(...statuses: Schemas["JobStatus"][]): number {
    return (this.now?.jobs ?? [])
      .filter((jobs) => statuses.includes(jobs.status))
      .reduce((sum, jobs) => sum + jobs.count, 0);
  }
}

export const live = new Live();
