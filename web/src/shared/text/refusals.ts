// Explains errors in the person's language, with what to do next.
//
//   catch (error) { text = explain(error); }
//   explain(error, { CONFLICT: m.customer_too_late() })   // where a page knows better what a code means there
import { brand } from "$shared/brand";
import { m } from "$words";
import { getLocale } from "$locale";
import { NoAnswer, Refusal, type Code } from "../api/errors";
import { Full } from "../outbox/outbox";

/** Returns a sentence for any error of a request or a command. */
export function explain(error: unknown, words: Partial<Record<Code, string>> = {}): string {
  if (error instanceof NoAnswer) return navigator.onLine ? m.shared_no_answer({ brand }) : m.shared_no_connection();
  if (error instanceof Full) return m.shared_outbox_full();
  if (!(error instanceof Refusal)) return m.shared_went_wrong();
  return words[error.code] ?? known(error) ?? m.shared_refusal_other({ message: error.message });
}

/**
 * Returns the service's message about an invalid field, or null. It is always in English, and more precise than readers
 * of another language need.
 */
export function faultOf(error: unknown, field: string): string | null {
  const fault = error instanceof Refusal ? error.field(field) : null;
  return fault === null || getLocale() === "en" ? fault : m.shared_refusal_validation();
}

/** Returns null for codes that say too little: for them the service's own English message says more. */
function known(refusal: Refusal): string | null {
  const wait = refusal.retryAfterS;
  switch (refusal.code) {
    case "BAD_REQUEST":
      return m.shared_refusal_bad_request();
    case "UNAUTHORIZED":
    case "TOKEN_EXPIRED":
      return m.shared_refusal_unauthorized();
    case "INVALID_OTP":
      return m.shared_refusal_invalid_otp();
    case "SIGNATURE_INVALID":
      return m.shared_refusal_signature_invalid();
    case "FORBIDDEN":
      return m.shared_refusal_forbidden();
    case "ACCOUNT_SUSPENDED":
      return m.shared_refusal_account_suspended();
    case "COOKIE_REFUSED":
      return m.shared_refusal_cookie_refused({ brand });
    case "NOT_VERIFIED":
      return m.shared_refusal_not_verified();
    case "NOT_FOUND":
      return m.shared_refusal_not_found();
    case "INVALID_TRANSITION":
      return m.shared_refusal_invalid_transition();
    case "OFFER_TAKEN":
      return m.shared_refusal_offer_taken();
    case "OFFER_EXPIRED":
      return m.shared_refusal_offer_expired();
    case "ACTIVE_JOB_EXISTS":
      return m.shared_refusal_active_job_exists();
    case "TOO_MANY_OPEN_JOBS":
      return m.shared_refusal_too_many_open_jobs();
    case "NO_NEW_JOBS":
      return m.shared_refusal_no_new_jobs({ message: refusal.message });
    case "CONSENT_NEEDED":
      return m.shared_refusal_consent_needed();
    case "NOTICE_CHANGED":
      return m.shared_consent_changed();
    case "PUSH_NOT_SET_UP":
      return m.shared_refusal_push_not_set_up();
    case "ALREADY_REGISTERED":
      return m.shared_refusal_already_registered();
    case "VEHICLE_IN_USE":
      return m.shared_refusal_vehicle_in_use();
    case "PENDING_APPROVAL":
      return m.shared_refusal_pending_approval();
    case "FEE_CHANGED":
      return m.shared_refusal_fee_changed();
    case "PRICE_CHANGED":
      return m.shared_refusal_price_changed();
    case "UNPAID_FEES":
      return m.shared_refusal_unpaid_fees();
    case "INSUFFICIENT_BALANCE":
      return m.shared_refusal_insufficient_balance();
    case "ALREADY_RATED":
      return m.shared_refusal_already_rated();
    case "IDEMPOTENCY_IN_FLIGHT":
      return m.shared_refusal_in_flight();
    case "LINK_EXPIRED":
      return m.shared_refusal_link_expired();
    case "PAYLOAD_TOO_LARGE":
      return m.shared_refusal_too_large();
    case "UNSUPPORTED_MEDIA_TYPE":
      return m.shared_refusal_unsupported_type();
    case "VALIDATION_FAILED":
      return m.shared_refusal_validation();
    case "WRONG_START_CODE":
      return m.shared_refusal_wrong_start_code();
    case "TOO_FAR_FROM_PICKUP":
      return m.shared_refusal_too_far();
    case "RATE_LIMITED":
      return wait === null ? m.shared_refusal_rate_limited() : m.shared_refusal_rate_limited_for({ wait: span(wait) });
    case "INTERNAL_ERROR":
      return m.shared_refusal_internal();
    case "PROVIDER_ERROR":
      return m.shared_refusal_provider();
    case "UNAVAILABLE":
      return wait === null
        ? m.shared_refusal_unavailable({ brand })
        : m.shared_refusal_unavailable_for({ brand, wait: span(wait) });
    case "OUTCOME_UNKNOWN":
      return m.shared_refusal_outcome_unknown();
    default:
      return null;
  }
}

/** Returns the time to wait, rounded up: an earlier attempt would be refused again. */
export function span(seconds: number): string {
  const [value, unit] =
    seconds < 90
      ? [Math.max(1, Math.ceil(seconds)), "second"]
      : seconds < 5400
        ? [Math.ceil(seconds / 60), "minute"]
        : [Math.ceil(seconds / 3600), "hour"];
  return new Intl.NumberFormat(`${getLocale()}-IN`, {
    style: "unit",
    unit: unit as string,
    unitDisplay: "long",
  }).format(value as number);
}
