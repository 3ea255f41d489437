// Names for the codes of the interface.
import { m } from "$words";
import type { Schemas } from "$shared/api/client";

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
    labour: m.mechanic_item_labour,
    part: m.mechanic_item_part,
    travel: m.mechanic_item_travel,
    tow: m.mechanic_item_tow,
    fee: m.mechanic_item_fee,
    discount: m.mechanic_item_discount,
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
    on_time: m.mechanic_tag_on_time,
    skilled: m.mechanic_tag_skilled,
    fair_price: m.mechanic_tag_fair_price,
    explained_well: m.mechanic_tag_explained_well,
    left_it_clean: m.mechanic_tag_left_it_clean,
    late: m.mechanic_tag_late,
    unskilled: m.mechanic_tag_unskilled,
    overcharged: m.mechanic_tag_overcharged,
    unsafe: m.mechanic_tag_unsafe,
    polite: m.mechanic_tag_polite,
    rude: m.mechanic_tag_rude,
    easy_to_find: m.mechanic_tag_easy_to_find,
    patient: m.mechanic_tag_patient,
    paid_promptly: m.mechanic_tag_paid_promptly,
    hard_to_find: m.mechanic_tag_hard_to_find,
    not_at_the_vehicle: m.mechanic_tag_not_at_the_vehicle,
    unsafe_place: m.mechanic_tag_unsafe_place,
    slow_to_pay: m.mechanic_tag_slow_to_pay,
  }[tag]();
}
