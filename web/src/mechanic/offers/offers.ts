// The offers that a mechanic may answer, and the outcomes of answers. Pure.
import type { Schemas } from "$shared/api/client";

export type Offer = Schemas["Offer"];

/** The reason why an offer disappeared from the screen. */
export type Gone = "taken" | "expired" | "revoked" | "answered_elsewhere" | "declined" | "accepted";

/** `sending`: the answer is on its way. `unknown`: it may or may not have arrived, so it is sent again. */
export interface Choice {
  readonly offerId: string;
  readonly answer: "accept" | "decline";
  readonly state: "sending" | "unknown";
}

/** A press of a button in an offer's notification. */
export interface Press {
  readonly offerId: string;
  readonly answer: Choice["answer"];
}

export interface Offers {
  readonly open: readonly Offer[];
  readonly choice: Choice | null;
  readonly last: { readonly offer: Offer; readonly why: Gone } | null;
}

export const NO_OFFERS: Offers = { open: [], choice: null, last: null };

export type Event =
  | { kind: "created"; offer: Offer }
  /**
   * The service's whole list, as after a reconnection. `openBefore`: what was open when the list was requested; only
   * those offers can be missing from it.
   */
  | { kind: "listed"; offers: readonly Offer[]; openBefore: readonly string[] }
  | { kind: "expired" | "revoked"; offer: Offer }
  | { kind: "chosen"; offerId: string; answer: Choice["answer"] }
  /** The outcome of the answer could not be determined yet. */
  | { kind: "unanswered" }
  | { kind: "settled"; offerId: string; why: Gone }
  | { kind: "tick"; now: number }
  | { kind: "dismissed" };

/** Returns the state after `event`. `now` and `expires_at` are both by the service's clock. */
export function apply(state: Offers, event: Event): Offers {
  switch (event.kind) {
    case "created": {
      if (event.offer.status !== "pending") return state;
      const others = state.open.filter(({ id }) => id !== event.offer.id);
      return { ...state, open: byExpiry([...others, event.offer]) };
    }
    case "listed": {
      const listed = new Map(
        event.offers.filter(({ status }) => status === "pending").map((offer) => [offer.id, offer]),
      );
      // An offer that is being answered stays until the outcome is known.
      const isMissing = ({ id }: Offer) =>
        !listed.has(id) && event.openBefore.includes(id) && id !== state.choice?.offerId;
      const missing = state.open.find(isMissing);
      const staying = state.open.filter((offer) => !listed.has(offer.id) && !isMissing(offer));
      return {
        ...state,
        open: byExpiry([...listed.values(), ...staying]),
        last: missing === undefined ? state.last : { offer: missing, why: "answered_elsewhere" },
      };
    }
    case "expired":
      return gone(state, event.offer.id, "expired");
    case "revoked":
      return gone(state, event.offer.id, revokedBecause(event.offer));
    case "chosen":
      if (state.choice !== null || !state.open.some(({ id }) => id === event.offerId)) return state;
      return { ...state, choice: { offerId: event.offerId, answer: event.answer, state: "sending" }, last: null };
    case "unanswered":
      return state.choice === null ? state : { ...state, choice: { ...state.choice, state: "unknown" } };
    case "settled": {
      const choice = state.choice?.offerId === event.offerId ? null : state.choice;
      return gone({ ...state, choice }, event.offerId, event.why);
    }
    case "tick": {
      const over = state.open.find(
        (offer) => Date.parse(offer.expires_at) <= event.now && offer.id !== state.choice?.offerId,
      );
      return over === undefined ? state : apply(gone(state, over.id, "expired"), event);
    }
    case "dismissed":
      return state.last === null ? state : { ...state, last: null };
  }
}

/** Returns the offer on the screen: the one that is being answered, else the one that expires first. */
export function shown(state: Offers): Offer | null {
  return state.open.find(({ id }) => id === state.choice?.offerId) ?? state.open[0] ?? null;
}

/**
 * Decides how to react to a press in a notification; does nothing if the page is already answering that offer.
 * `isWhole`: the service has just listed all offers, so an offer that is not in the list is over.
 */
export function afterPress(
  { open, choice }: Offers,
  { offerId }: Press,
  isWhole: boolean,
): "answer" | "over" | "wait" | "nothing" {
  if (choice !== null) return choice.offerId === offerId ? "nothing" : "wait";
  if (open.some(({ id }) => id === offerId)) return "answer";
  return isWhole ? "over" : "wait";
}

/** Returns the milliseconds until an offer expires, never below zero. */
export function leftMs(offer: Offer, now: number): number {
  return Math.max(0, Date.parse(offer.expires_at) - now);
}

/** Returns the share of the offer's time that is left, from 1 to 0. */
export function leftShare(offer: Offer, now: number): number {
  const whole = Date.parse(offer.expires_at) - Date.parse(offer.created_at);
  return whole <= 0 ? 0 : Math.min(1, leftMs(offer, now) / whole);
}

/** Returns what a refused answer means for the offer, or null if it says nothing about it. */
export function whyRefused(code: string): Gone | null {
  const meanings: Record<string, Gone> = {
    OFFER_TAKEN: "taken",
    OFFER_EXPIRED: "expired",
    NOT_FOUND: "revoked",
    INVALID_TRANSITION: "answered_elsewhere",
    ACTIVE_JOB_EXISTS: "answered_elsewhere",
  };
  return meanings[code] ?? null;
}

function revokedBecause({ status }: Offer): Gone {
  if (status === "declined" || status === "accepted") return "answered_elsewhere";
  return status === "expired" ? "expired" : "revoked";
}

function gone(state: Offers, offerId: string, why: Gone): Offers {
  const offer = state.open.find(({ id }) => id === offerId);
  // While an answer is on its way, its outcome tells what happened to the offer.
  if (offer === undefined || state.choice?.offerId === offerId) return state;
  const isOwn = why === "declined" || why === "accepted";
  return { ...state, open: state.open.filter(({ id }) => id !== offerId), last: isOwn ? null : { offer, why } };
}

function byExpiry(offers: readonly Offer[]): Offer[] {
  return [...offers].sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at));
}

/** For how long an offer ignores presses after it has appeared or its buttons have changed. */
export const QUIET_MS = 700;

/**
 * Reports whether a press was meant for what is shown. Both times are in milliseconds of the page's clock; a press
 * counts from its start.
 */
export function isMeant(pressedAt: number, shownAt: number | null): boolean {
  return shownAt !== null && pressedAt - shownAt >= QUIET_MS;
}
