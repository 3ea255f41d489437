// Names for the codes of the interface.
import { m } from "$words";
import type { Schemas } from "$shared/api/client";
import { serviceTags } from "$shared/text/names";

export function statusName(status: Schemas["JobStatus"]): string {
  return {
    pending: m.mechanic_status_looking,
    dispatching: m.mechanic_status_looking,
    no_mechanic_found: m.mechanic_status_looking,
    accepted: m.mechanic_status_accepted,
    en_route: m.mechanic_status_en_route,
    arrived: m.mechanic_status_arrived,
    in_progress: m.mechanic_status_in_progress,
    completed: m.mechanic_status_completed,
    paid: m.mechanic_status_paid,
    cancelled: m.mechanic_status_cancelled,
    disputed: m.mechanic_status_disputed,
    resolved: m.mechanic_status_resolved,
  }[status]();
}

export function statusKind(status: Schemas["JobStatus"]): "plain" | "info" | "good" | "warn" | "bad" {
  if (status === "paid" || status === "resolved") return "good";
  if (status === "completed" || status === "disputed") return "warn";
  return status === "cancelled" ? "bad" : "info";
}

export function outcomeName(outcome: Schemas["Outcome"]): string {
  return {
    fixed: m.mechanic_outcome_fixed,
    temporary: m.mechanic_outcome_temporary,
    needs_tow: m.mechanic_outcome_needs_tow,
    not_fixable: m.mechanic_outcome_not_fixable,
    towed: m.mechanic_outcome_towed,
  }[outcome]();
}

export function itemTypeName(type: Schemas["LineItemType"]): string {
  return {
    labour: m.shared_item_labour,
    part: m.shared_item_part,
    travel: m.mechanic_price_travel,
    tow: m.shared_category_towing,
    fee: m.shared_item_fee,
    discount: m.shared_item_discount,
  }[type]();
}

export function documentName(type: Schemas["DocumentType"]): string {
  return {
    aadhaar: m.mechanic_document_aadhaar,
    photo_id: m.mechanic_document_photo_id,
    skill_cert: m.mechanic_document_skill_cert,
    other: m.mechanic_document_other,
  }[type]();
}

export function tagName(tag: Schemas["RatingTag"]): string {
  return {
    ...serviceTags,
    easy_to_find: m.mechanic_tag_easy_to_find,
    patient: m.mechanic_tag_patient,
    paid_promptly: m.mechanic_tag_paid_promptly,
    hard_to_find: m.mechanic_tag_hard_to_find,
    not_at_the_vehicle: m.mechanic_tag_not_at_the_vehicle,
    unsafe_place: m.mechanic_tag_unsafe_place,
    slow_to_pay: m.mechanic_tag_slow_to_pay,
  }[tag]();
}
