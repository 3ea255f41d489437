// Whether new jobs are taken, for the banner on every page and for the page that changes it.
import { answer, api, type Schemas } from "$shared/api/client";
import { Newest } from "$shared/api/newest";
import { poll } from "$shared/poll";

const EVERY_MS = 20_000;

class JobStop {
  /** The present stop; null while new jobs are taken, undefined until it is known. */
  now: Schemas["JobStop"] | null | undefined = $state.raw(undefined);
  error: unknown = $state.raw(null);
  readonly #newest = new Newest();

  look = async (): Promise<void> => {
    await this.#newest.ask(
      () => answer(api.GET("/admin/job-stop")),
      ({ stop }) => this.#know(stop),
      (error) => (this.error = error),
    );
  };

  set = async (message: string, endsAt: string | null): Promise<void> => {
    this.#know((await answer(api.PUT("/admin/job-stop", { body: { message, ends_at: endsAt } }))).stop);
  };

  end = async (): Promise<void> => {
    await answer(api.DELETE("/admin/job-stop"));
    this.#know(null);
  };

  keep(): () => void {
    return poll(this.look, EVERY_MS);
  }

  #know(stop: Schemas["JobStop"] | null): void {
    this.#newest.overtake();
    this.now = stop;
    this.error = null;
  }
}

export const jobStop = new JobStop();
