// The codes of cases, jobs and bills in the person's language.
import { m } from "$words";
import type { Schemas } from "$shared/api/client";
import type { PromiseView } from "$shared/partners/rules";

export type Kind = "plain" | "info" | "good" | "warn" | "bad";

export const CASE_STATUSES: readonly Schemas["CaseStatus"][] = [
  "open",
  "closed",
  "offered",
  "refused",
  "expired",
  "withdrawn",
];

export const caseStatus = (of: Schemas["CaseStatus"]): string =>
  ({
    open: m.partners_case_open,
    closed: m.partners_case_closed,
    offered: m.partners_case_offered,
    refused: m.partners_case_refused,
    expired: m.partners_case_expired,
    withdrawn: m.partners_case_withdrawn,
  })[of]();

export const caseKind = (of: Schemas["CaseStatus"]): Kind =>
  of === "open" ? "info" : of === "offered" ? "warn" : of === "refused" || of === "expired" ? "bad" : "plain";

export const jobStatus = (of: Schemas["JobStatus"]): string =>
  ({
    pending: m.partners_job_pending,
    dispatching: m.partners_job_searching,
    accepted: m.partners_job_accepted,
    en_route: m.partners_job_en_route,
    arrived: m.partners_job_arrived,
    in_progress: m.partners_job_in_progress,
    completed: m.partners_job_completed,
    paid: m.partners_job_completed,
    cancelled: m.partners_job_cancelled,
    no_mechanic_found: m.partners_outcome_no_mechanic,
    disputed: m.partners_job_disputed,
    resolved: m.partners_job_completed,
  })[of]();

export function jobKind(of: Schemas["JobStatus"]): Kind {
  if (of === "completed" || of === "paid" || of === "resolved") return "good";
  if (of === "no_mechanic_found") return "bad";
  return of === "disputed" || of === "dispatching" ? "warn" : of === "cancelled" ? "plain" : "info";
}

export const OUTCOMES: readonly Schemas["OutcomeKind"][] = [
  "completed",
  "gone_on_arrival",
  "unsuccessful",
  "destination_refused",
  "cancelled_by_partner",
  "cancelled_by_us",
  "promise_missed",
  "no_mechanic",
];

const outcomes: Record<Schemas["OutcomeKind"], () => string> = {
  completed: m.partners_job_completed,
  gone_on_arrival: m.partners_outcome_gone_on_arrival,
  unsuccessful: m.partners_outcome_unsuccessful,
  destination_refused: m.partners_outcome_destination_refused,
  cancelled_by_partner: m.partners_outcome_cancelled_by_you,
  cancelled_by_us: m.partners_outcome_cancelled_by_us,
  promise_missed: m.partners_outcome_promise_missed,
  no_mechanic: m.partners_outcome_no_mechanic,
};

/** Returns the words for an outcome; its code if this page does not know it. */
export function outcome(of: string): string {
  const known: Record<string, () => string> = outcomes;
  return known[of]?.() ?? of;
}

export const itemStatus = (of: Schemas["LineItemStatus"]): [string, Kind] => {
  const states: Record<Schemas["LineItemStatus"], [string, Kind]> = {
    proposed: [m.partners_item_drivers(), "plain"],
    approved: [m.partners_item_approved(), "good"],
    rejected: [m.partners_item_rejected(), "bad"],
    withdrawn: [m.partners_case_withdrawn(), "plain"],
  };
  return states[of];
};

/** Names a photo of the work, by its number and the stage at which it was taken. */
export function photoName(of: Schemas["PhotoStage"] | null, number: number): string {
  const stages: Record<Schemas["PhotoStage"], typeof m.partners_photo_during> = {
    before: m.partners_photo_before,
    during: m.partners_photo_during,
    after: m.partners_photo_after,
  };
  return stages[of ?? "during"]({ number });
}

export const DOCUMENTS: readonly Schemas["CaseDocumentKind"][] = [
  "police_report",
  "policy",
  "photo",
  "signed_order",
  "other",
];

export const documentKind = (of: Schemas["CaseDocumentKind"]): string =>
  ({
    police_report: m.partners_document_police_report,
    policy: m.partners_document_policy,
    photo: m.partners_document_photo,
    signed_order: m.partners_document_signed_order,
    other: m.partners_document_other,
  })[of]();

export const refusal = (of: Schemas["ClubRefusalReason"]): string =>
  ({
    outside_area: m.partners_refusal_outside_area,
    no_mechanic_free: m.partners_refusal_no_mechanic_free,
    no_equipment: m.partners_refusal_no_equipment,
    vehicle_too_heavy: m.partners_refusal_vehicle_too_heavy,
    terms: m.partners_refusal_terms,
    other: m.partners_refusal_other,
  })[of]();

/** Returns the words for a promise of arrival; null without one. */
export const promise = (of: PromiseView): [string, Kind] | null => {
  const views: Record<PromiseView, [string, Kind] | null> = {
    none: null,
    to_decide: [m.partners_promise_to_decide(), "warn"],
    refused: [m.partners_promise_refused(), "bad"],
    due: [m.partners_promise_due(), "info"],
    missed: [m.partners_promise_missed(), "bad"],
    kept: [m.partners_promise_kept(), "good"],
  };
  return views[of];
};

export const role = (of: Schemas["MemberRole"]): string =>
  ({ manager: m.partners_role_manager, dispatcher: m.partners_role_dispatcher, viewer: m.partners_role_viewer })[of]();

export const scope = (of: Schemas["KeyScope"]): string =>
  ({
    read: m.partners_scope_read,
    cases: m.partners_scope_cases,
    approvals: m.partners_scope_approvals,
    webhooks: m.partners_scope_webhooks,
    keys: m.partners_scope_keys,
    offers: m.partners_scope_offers,
  })[of]();

export const keyStatus = (of: Schemas["KeyStatus"]): [string, Kind] => {
  const states: Record<Schemas["KeyStatus"], [string, Kind]> = {
    active: [m.partners_key_active(), "good"],
    replaced: [m.partners_key_replaced(), "warn"],
    expired: [m.partners_key_expired(), "bad"],
    revoked: [m.partners_key_revoked(), "bad"],
  };
  return states[of];
};

export const subscriptionStatus = (of: Schemas["SubscriptionStatus"]): [string, Kind] => {
  const states: Record<Schemas["SubscriptionStatus"], [string, Kind]> = {
    unverified: [m.partners_webhook_unverified(), "warn"],
    active: [m.partners_webhook_active(), "good"],
    paused: [m.partners_webhook_paused(), "warn"],
    deleted: [m.partners_webhook_deleted(), "plain"],
  };
  return states[of];
};

export const DELIVERY_STATUSES: readonly Schemas["WebhookDeliveryStatus"][] = ["pending", "delivered", "dead"];

export const deliveryStatus = (of: Schemas["WebhookDeliveryStatus"]): [string, Kind] => {
  const states: Record<Schemas["WebhookDeliveryStatus"], [string, Kind]> = {
    pending: [m.partners_delivery_pending(), "info"],
    delivered: [m.partners_delivery_delivered(), "good"],
    dead: [m.partners_delivery_dead(), "bad"],
  };
  return states[of];
};
