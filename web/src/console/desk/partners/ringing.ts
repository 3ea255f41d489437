// Which offers of clubs can be answered, and which ring. Pure.
import type { Schemas } from "$shared/api/client";

export type ClubOffer = Schemas["WaitingOffer"];
type Known = Pick<ClubOffer, "id"> & { offer: Pick<Schemas["OfferSnapshot"], "stage" | "offered_until"> };

/** Returns the offers that dispatchers can still answer, the most urgent first. */
export const toAnswer = <O extends Known>(offers: readonly O[], nowMs: number): O[] =>
  offers
    .filter(({ offer }) => offer.stage === "waiting" || offer.stage === "call_asked")
    .filter(({ offer }) => Date.parse(offer.offered_until) > nowMs)
    .sort((one, other) => Date.parse(one.offer.offered_until) - Date.parse(other.offer.offered_until));

/** Returns the offers that ring: nobody has turned their sound off, and no call about them was asked for. */
export const toRing = <O extends Known>(open: readonly O[], silenced: ReadonlySet<string>): O[] =>
  open.filter(({ id, offer }) => offer.stage === "waiting" && !silenced.has(id));
