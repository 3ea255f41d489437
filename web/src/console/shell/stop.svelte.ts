// Whether new jobs are taken, for the banner on every page and for the page that changes it.
import { answer, api, type Schemas } from "$shared/api/client";
import { poll } from "../parts/poll";

const EVERY_MS = 20_000;

class JobStop {
  /** Null while new jobs are taken, undefined until it is known. */
  now: Schemas["JobStop"] | null | undefined = $state.raw(undefined);
  error: unknown = $state.raw(null);

  look = async (): Promise<void> => {
    try {
      this.now = (await answer(api.GET("/admin/job-stop"))).stop;
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  };

  set = async (message: string, endsAt: string | null): Promise<void> => {
    this.now = (await answer(api.PUT("/admin/job-stop", { body: { message, ends_at: endsAt } }))).stop;
  };

  end = async (): Promise<void> => {
    await answer(api.DELETE("/admin/job-stop"));
    this.now = null;
  };

  keep(): () => void {
    return poll(this.look, EVERY_MS);
  }
}

export const jobStop = new JobStop();
