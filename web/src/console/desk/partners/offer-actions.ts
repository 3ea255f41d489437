// The answers to a club's offer.
import { partners } from "$shared/partners/api";
import { openOffers } from "$shared/partners/rules";
import type { PartnerCaseForAdmin } from "$shared/partners/types";
import { now } from "../../parts/now.svelte";
import { reason, type Action } from "../actions/action";
import { incoming } from "./incoming.svelte";

type Offer = PartnerCaseForAdmin;
const isOpen = (offer: Offer) => openOffers([offer], now.value).length > 0;
const name = ({ organisation, partner_reference }: Offer) => `${organisation.name}, ${partner_reference}`;
const answered = () => void incoming.look();

export const acceptOffer: Action<Offer> = {
  key: "a",
  name: "Accept",
  kind: "primary",
  desk: "dispatch",
  when: isOpen,
  form: {
    title: (offer) => `Accept ${name(offer)}`,
    says: () => ["The club confirms the time, and the search for a mechanic begins."],
    fields: [{ name: "eta_min", label: "Minutes until a mechanic is there", kind: "count" }],
    confirm: "Accept",
    send: ({ id }, { eta_min }) => partners.acceptOffer(id, Number(eta_min)),
    answered,
    done: (offer) => `${name(offer)} is accepted`,
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
      reason("The club sees it", [
        "No mechanic is free in time.",
        "We don’t serve this place.",
        "We can’t do this work.",
      ]),
    ],
    confirm: "Refuse",
    isDanger: true,
    send: ({ id }, values) => partners.refuseOffer(id, values["reason"] ?? ""),
    answered,
    done: (offer) => `${name(offer)} is refused`,
  },
};

export const askForCall: Action<Offer> = {
  key: "c",
  name: "Ask for a call",
  desk: "dispatch",
  when: (offer) => isOpen(offer) && offer.call_asked_at === null,
  form: {
    title: (offer) => `Ask for a call about ${name(offer)}`,
    says: ({ organisation }) => [
      `${organisation.name} calls you${organisation.phone ? `, or you call ${organisation.phone}` : ""}. ` +
        "The time to answer goes on.",
    ],
    confirm: "Ask for a call",
    send: ({ id }) => partners.askForCall(id),
    answered,
    done: () => "The club was asked to call",
  },
};

export const offerActions = [acceptOffer, refuseOffer, askForCall];
