// The answers to a club's offer.
import { api, type Schemas } from "$shared/api/client";
import { byId, type Action } from "../actions/action";
import { incoming, type ClubOffer } from "./incoming.svelte";
import { refusals } from "./words";

/** The fields of an offer that the list of cases has, too. */
type Offer = Pick<ClubOffer, "id" | "organisation_name" | "partner_reference">;
export const name = ({ organisation_name, partner_reference }: Offer) => `${organisation_name}, ${partner_reference}`;
const isOpen = ({ id }: Offer) => incoming.of(id) !== null;
/** Looks anew after every try: a refusal may mean that somebody was faster. */
const tried = <A>(answer: Promise<A>): Promise<A> => answer.finally(() => void incoming.look());
/** Says what became of an offer whose form goes because it can't be answered any more. */
const left = (offer: Offer) => {
  if (!isOpen(offer)) incoming.lost = offer;
};

export const acceptOffer: Action<Offer> = {
  key: "a",
  name: "Accept",
  kind: "primary",
  desk: "dispatch",
  when: isOpen,
  form: {
    title: (offer) => `Accept ${name(offer)}`,
    says: () => ["The club has to confirm the time. Then the search for a mechanic begins."],
    fields: [{ name: "eta_min", label: "Minutes until a mechanic is there", kind: "count" }],
    confirm: "Accept",
    send: ({ id }, { eta_min }) =>
      tried(api.POST("/admin/partner-cases/{id}/accept", { ...byId(id), body: { eta_min: Number(eta_min) } })),
    left,
    done: ({ organisation_name }) => `Accepted: ${organisation_name} has to confirm`,
  },
};

export const refuseOffer: Action<Offer> = {
  key: "x",
  name: "Refuse",
  kind: "danger",
  desk: "dispatch",
  when: isOpen,
  form: {
    title: (offer) => `Refuse ${name(offer)}`,
    says: () => ["The club gives the job to somebody else."],
    fields: [
      {
        name: "reason",
        label: "Reason",
        kind: "choice",
        options: Object.entries(refusals),
        hint: "The club sees it",
      },
    ],
    confirm: "Refuse",
    isDanger: true,
    send: ({ id }, { reason }) =>
      tried(
        api.POST("/admin/partner-cases/{id}/refuse", {
          ...byId(id),
          body: { reason: reason as Schemas["ClubRefusalReason"] },
        }),
      ),
    left,
    done: (offer) => `${name(offer)} is refused`,
  },
};

export const askForCall: Action<Offer> = {
  key: "c",
  name: "Ask for a call",
  desk: "dispatch",
  when: ({ id }) => incoming.of(id)?.offer.stage === "waiting",
  form: {
    title: (offer) => `Ask for a call about ${name(offer)}`,
    says: ({ id, organisation_name }) => {
      const phone = incoming.of(id)?.organisation_phone;
      return [
        `${organisation_name} is asked to call you${phone ? `. You can also call ${phone}` : ""}.`,
        "The time to answer begins anew, once.",
      ];
    },
    confirm: "Ask for a call",
    send: ({ id }) => tried(api.POST("/admin/partner-cases/{id}/ask-for-call", byId(id))),
    left,
    done: ({ organisation_name }) => `${organisation_name} was asked to call`,
  },
};

export const offerActions = [acceptOffer, refuseOffer, askForCall];
