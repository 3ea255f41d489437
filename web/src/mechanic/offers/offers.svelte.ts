// Offers as they arrive, and answers that are sent until their outcome is known.
import { answer, api, type Schemas } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { Newest } from "$shared/api/newest";
import { socket } from "$shared/api/socket.svelte";
import { notifications } from "$shared/notifications/notifications.svelte";
import { explain } from "$shared/text/refusals";
import { toast } from "$shared/ui/toasts.svelte";
import { m } from "$words";
import { carryThrough } from "../connected";
import { mechanic } from "../me.svelte";
import { alarm } from "$shared/alarm";
import { isInTheWay } from "./clear";
import {
  afterPress,
  apply,
  NO_OFFERS,
  shown,
  whyRefused,
  type Event,
  type Gone,
  type Offer,
  type Offers,
  type Press,
} from "./offers";

class OfferDesk {
  state: Offers = $state.raw(NO_OFFERS);
  /** The reason why an answer was refused, if it is not about the offer. */
  refusal = $state<Refusal | null>(null);
  /** The offer that may cover the screen. Until then, a banner announces it. */
  #opened = $state<string | null>(null);

  readonly #newest = new Newest();
  #pressed: Press | null = null;
  #endings: (() => void)[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #won: (job: Schemas["Job"]) => void = () => {};

  get shown(): Offer | null {
    return shown(this.state);
  }

  /** The way of showing the offer: the whole screen, or a banner while a money step or unsaved text is shown. */
  get manner(): "screen" | "banner" {
    return this.shown !== null && this.shown.id === this.#opened ? "screen" : "banner";
  }

  /** Shows the offer that the banner announces. */
  open(offerId: string): void {
    this.#opened = offerId;
  }

  /** Starts; `won` gets the job of an accepted offer. */
  start(won: (job: Schemas["Job"]) => void): void {
    if (this.#endings.length > 0) return;
    this.#won = won;
    this.#endings = [
      socket.on("offer.created", ({ data }) => this.#take({ kind: "created", offer: data as Offer })),
      socket.on("offer.expired", ({ data }) => this.#take({ kind: "expired", offer: data as Offer })),
      socket.on("offer.revoked", ({ data }) => this.#take({ kind: "revoked", offer: data as Offer })),
      socket.onOpen(() => {
        if (mechanic.isVerified) void this.load();
      }),
    ];
    this.#timer = setInterval(() => {
      if (this.state.open.length > 0) this.#take({ kind: "tick", now: this.now() });
    }, 500);
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#endings = [];
    clearInterval(this.#timer);
    alarm.stop();
    this.#pressed = null;
    this.state = NO_OFFERS;
  }

  /** The time by the service's clock. */
  now(): number {
    return Date.now() + socket.clockOffsetMs;
  }

  async load(): Promise<void> {
    const openBefore = this.state.open.map(({ id }) => id);
    // If it fails, the next connection loads again.
    await this.#newest.ask(
      () => answer(api.GET("/mechanics/me/offers")),
      ({ data }) => this.#take({ kind: "listed", offers: data, openBefore }),
    );
  }

  /** Handles a pressed button of an offer's notification: answers as soon as the page knows the offer. */
  press(offerId: string, answer: Press["answer"]): void {
    this.#pressed = { offerId, answer };
    this.#answerPressed(false);
    // A starting page loads by itself.
    if (this.#pressed !== null && mechanic.isVerified) void this.load();
  }

  #answerPressed(isWhole: boolean): void {
    const pressed = this.#pressed;
    if (pressed === null) return;
    const next = afterPress(this.state, pressed, isWhole);
    if (next === "wait") return;
    this.#pressed = null;
    if (next === "over") toast(m.mechanic_gone_by_now());
    if (next === "answer")
      void (pressed.answer === "accept" ? this.accept(pressed.offerId) : this.decline(pressed.offerId, null));
  }

  accept(offerId: string): Promise<void> {
    return this.#answer(offerId, "accept", async () => {
      const job = await answer(api.POST("/offers/{id}/accept", { params: { path: { id: offerId } } }));
      return () => this.#won(job);
    });
  }

  decline(offerId: string, reason: string | null): Promise<void> {
    return this.#answer(offerId, "decline", async () => {
      await answer(
        api.POST("/offers/{id}/decline", {
          params: { path: { id: offerId } },
          body: reason === null ? {} : { reason },
        }),
      );
      return () => {};
    });
  }

  /** Declines, and gets no further offers until the mechanic goes online again. */
  async takeBreak(offerId: string, reason: string): Promise<void> {
    await this.decline(offerId, reason);
    try {
      await carryThrough(
        () => mechanic.setAvailable(false, null),
        () => {},
      );
      toast(m.mechanic_break_began(), "good");
    } catch (error) {
      toast(explain(error), "bad");
    }
  }

  /** Reports a visible offer: its notification no longer has to ring. */
  see(offerId: string): void {
    if (document.visibilityState !== "visible") return;
    // A phone in a pocket keeps its notifications until this page is opened; then they are in the way.
    void closeNotifications(offerId);
    answer(api.POST("/offers/{id}/seen", { params: { path: { id: offerId } } })).catch(() => {
      // It rings once more, and then ends by itself.
    });
  }

  dismiss(): void {
    this.#take({ kind: "dismissed" });
    this.refusal = null;
  }

  /** Sends an answer; both kinds may be repeated: the service returns the same job to the winner again. */
  async #answer(offerId: string, kind: "accept" | "decline", request: () => Promise<() => void>): Promise<void> {
    if (this.state.choice !== null) return;
    this.refusal = null;
    this.#take({ kind: "chosen", offerId, answer: kind });
    alarm.stop();
    try {
      const then = await carryThrough(request, (isWaiting) => isWaiting && this.#take({ kind: "unanswered" }));
      this.#take({ kind: "settled", offerId, why: kind === "accept" ? "accepted" : "declined" });
      then();
    } catch (error) {
      this.#refused(offerId, error);
    }
  }

  #refused(offerId: string, error: unknown): void {
    const refusal = error instanceof Refusal ? error : null;
    const why: Gone | null = refusal === null ? null : whyRefused(refusal.code);
    if (why !== null) {
      this.#take({ kind: "settled", offerId, why });
      return;
    }
    this.refusal = refusal;
    this.state = { ...this.state, choice: null };
    void this.load();
  }

  #take(event: Event): void {
    const before = shown(this.state);
    const wereOpen = this.state.open;
    const openBefore = wereOpen.length;
    this.state = apply(this.state, event);
    const stillOpen = new Set(this.state.open.map(({ id }) => id));
    for (const { id } of wereOpen) if (!stillOpen.has(id)) void closeNotifications(id);
    // The notification of an answered offer counts as read.
    if (event.kind === "settled") notifications.markReadAbout("offer_id", event.offerId);
    else if (this.state.open.length < openBefore) void notifications.count();
    const after = shown(this.state);
    if (after !== null && after.id !== before?.id && this.state.choice === null) alarm.start();
    if (after === null) alarm.stop();
    if (after !== null && after.id !== this.#opened && !isInTheWay()) this.#opened = after.id;
    this.#answerPressed(event.kind === "listed");
  }
}

/** Closes this device's notifications about an offer. */
async function closeNotifications(offerId: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  const shown = (await worker?.getNotifications({ tag: `job_offer-${offerId}` })) ?? [];
  for (const notification of shown) notification.close();
}

export const offers = new OfferDesk();
