// How long this mechanic's work takes, asked for with the first offer.
import { answer, api } from "$shared/api/client";
import { workS } from "./pay";

class WorkTime {
  /** Seconds; null until the service has said, or could not. */
  seconds: number | null = $state(null);
  #isAsked = false;

  /** The figures of the last 30 days change little within a day: they are asked for once. */
  async load(): Promise<void> {
    if (this.#isAsked) return;
    this.#isAsked = true;
    const figures = await answer(api.GET("/mechanics/me/stats")).catch(() => null);
    this.seconds = workS(figures);
    // The next offer asks again.
    if (figures === null) this.#isAsked = false;
  }

  forget(): void {
    this.seconds = null;
    this.#isAsked = false;
  }
}

export const workTime = new WorkTime();
