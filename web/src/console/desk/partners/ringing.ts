// Decides which offers of clubs ring. Pure.
import type { Schemas } from "$shared/api/client";

interface Known {
  id: string;
  offer: Pick<Schemas["OfferSnapshot"], "stage">;
}

/** Returns the offers that ring: nobody has turned their sound off, and no call about them was asked for. */
export const toRing = <O extends Known>(open: readonly O[], silenced: ReadonlySet<string>): O[] =>
  open.filter(({ id, offer }) => offer.stage === "waiting" && !silenced.has(id));
