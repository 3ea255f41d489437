// The end of an offer, told to somebody who was about to answer it.
import type { Schemas } from "$shared/api/client";
import { refusals } from "./words";

type Offer = Pick<Schemas["OfferSnapshot"], "stage" | "eta_min" | "refusal_reason">;

/** Returns what happened, and what to do next. `leftS`: the seconds in which the offer can be answered after all. */
export function endOf({ stage, eta_min, refusal_reason }: Offer, leftS: number): [happened: string, next: string] {
  const colleague = "A colleague answered this offer.";
  const elsewhere = "The club gives the job to somebody else. Call the club if you can help after all.";
  switch (stage) {
    case "accepted":
      return [`${colleague} They promised ${eta_min} minutes.`, "Nothing to do: the club has to confirm them."];
    case "confirmed":
      return [`${colleague} They promised ${eta_min} minutes.`, "The club confirmed them. Follow the job in its case."];
    case "refused":
      return [`${colleague} They refused it: ${refusals[refusal_reason ?? "other"].toLowerCase()}.`, elsewhere];
    case "withdrawn":
      return ["The club withdrew this offer.", "Nothing to do: the club needs no help from us."];
    case "expired":
    case "waiting":
    case "call_asked":
      return leftS > 0
        ? ["A colleague asked the club to call.", "The time to answer began anew: you can still answer."]
        : ["The time to answer this offer is over.", elsewhere];
  }
}
