// The offers of clubs that wait for an answer. They ring in every page of the console, also while it is out of sight.
import { alarm } from "$shared/alarm";
import { answer, api, type Schemas } from "$shared/api/client";
import { Newest } from "$shared/api/newest";
import { socket } from "$shared/api/socket.svelte";
import { openOffers } from "$shared/partners/rules";
import { toRing } from "./ringing";
import { announceInTitle } from "./title";

const EVERY_MS = 5_000;

export type ClubOffer = Schemas["WaitingOffer"];

class Incoming {
  open: ClubOffer[] = $state.raw([]);
  /** The offer that somebody at this desk was about to answer when it could not be answered any more. */
  lost: Pick<ClubOffer, "id" | "organisation_name" | "partner_reference"> | null = $state.raw(null);
  /** The offers whose sound somebody at this desk has turned off. */
  #silenced: ReadonlySet<string> = $state.raw(new Set());
  readonly rings = $derived(toRing(this.open, this.#silenced));
  readonly #newest = new Newest();
  #looking = 0;
  #lookedAt = 0;
  #endTitle: (() => void) | null = null;

  /** Loads now and again. Returns a function that ends that. */
  keep(): () => void {
    this.lost = null;
    void this.look();
    const ticks = new Worker(new URL("./ticks.worker.ts", import.meta.url), { type: "module" });
    ticks.onmessage = () => {
      this.#take(this.open);
      // An answer that takes longer than the pause is waited for.
      if (this.#looking === 0 && performance.now() - this.#lookedAt >= EVERY_MS) void this.look();
    };
    // Browsers allow sounds after the first press.
    const unlock = () => void alarm.unlock();
    addEventListener("click", unlock);
    addEventListener("keydown", unlock);
    return () => {
      ticks.terminate();
      removeEventListener("click", unlock);
      removeEventListener("keydown", unlock);
      this.#newest.overtake();
      this.#take([]);
    };
  }

  // If it fails, the last known offers stay until their time is over.
  look = async (): Promise<void> => {
    this.#looking += 1;
    try {
      await this.#newest.ask(
        () => answer(api.GET("/admin/partner-offers")),
        ({ data }) => this.#take(data),
      );
    } finally {
      this.#looking -= 1;
      this.#lookedAt = performance.now();
    }
  };

  /** Returns the offer of a case, if it can be answered. */
  of(caseId: string): ClubOffer | null {
    return this.open.find(({ id }) => id === caseId) ?? null;
  }

  silence(): void {
    this.#silenced = new Set(this.open.map(({ id }) => id));
    this.#ring();
  }

  #take(offers: ClubOffer[]): void {
    const open = openOffers(offers, Date.now() + socket.clockOffsetMs);
    const isSame = open.length === this.open.length && open.every((offer, index) => offer === this.open[index]);
    if (!isSame) this.open = open;
    this.#ring();
  }

  #ring(): void {
    const isRinging = this.#endTitle !== null;
    const rings = this.rings.length > 0;
    if (rings === isRinging) return;
    if (rings) {
      alarm.start();
      this.#endTitle = announceInTitle(() => `${this.open.length} waiting: answer now`);
    } else {
      alarm.stop();
      this.#endTitle?.();
      this.#endTitle = null;
    }
  }
}

export const incoming = new Incoming();
