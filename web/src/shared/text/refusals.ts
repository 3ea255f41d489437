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
  const words: Partial<Record<Code, () => string>> = {
    BAD_REQUEST: m.shared_refusal_bad_request,
    UNAUTHORIZED: m.shared_refusal_unauthorized,
    TOKEN_EXPIRED: m.shared_refusal_unauthorized,
    INVALID_OTP: m.shared_refusal_invalid_otp,
    SIGNATURE_INVALID: m.shared_refusal_signature_invalid,
    FORBIDDEN: m.shared_refusal_forbidden,
    ACCOUNT_SUSPENDED: m.shared_refusal_account_suspended,
    COOKIE_REFUSED: () => m.shared_refusal_cookie_refused({ brand }),
    NOT_VERIFIED: m.shared_refusal_not_verified,
    NOT_FOUND: m.shared_refusal_not_found,
    INVALID_TRANSITION: m.shared_refusal_invalid_transition,
    OFFER_TAKEN: m.shared_refusal_offer_taken,
    OFFER_EXPIRED: m.shared_refusal_offer_expired,
    ACTIVE_JOB_EXISTS: m.shared_refusal_active_job_exists,
    TOO_MANY_OPEN_JOBS: m.shared_refusal_too_many_open_jobs,
    NO_NEW_JOBS: () => m.shared_refusal_no_new_jobs({ message: refusal.message }),
    CONSENT_NEEDED: m.shared_refusal_consent_needed,
    NOTICE_CHANGED: m.shared_consent_changed,
    PUSH_NOT_SET_UP: m.shared_refusal_push_not_set_up,
    ALREADY_REGISTERED: m.shared_refusal_already_registered,
    VEHICLE_IN_USE: m.shared_refusal_vehicle_in_use,
    PENDING_APPROVAL: m.shared_refusal_pending_approval,
    FEE_CHANGED: m.shared_refusal_fee_changed,
    PRICE_CHANGED: m.shared_refusal_price_changed,
    UNPAID_FEES: m.shared_refusal_unpaid_fees,
    INSUFFICIENT_BALANCE: m.shared_refusal_insufficient_balance,
    ALREADY_RATED: m.shared_refusal_already_rated,
    IDEMPOTENCY_IN_FLIGHT: m.shared_refusal_in_flight,
    LINK_EXPIRED: m.shared_refusal_link_expired,
    PAYLOAD_TOO_LARGE: m.shared_refusal_too_large,
    UNSUPPORTED_MEDIA_TYPE: m.shared_refusal_unsupported_type,
    VALIDATION_FAILED: m.shared_refusal_validation,
    WRONG_START_CODE: m.shared_refusal_wrong_start_code,
    TOO_FAR_FROM_PICKUP: m.shared_refusal_too_far,
    RATE_LIMITED: () =>
      wait === null ? m.shared_refusal_rate_limited() : m.shared_refusal_rate_limited_for({ wait: span(wait) }),
    INTERNAL_ERROR: m.shared_refusal_internal,
    PROVIDER_ERROR: m.shared_refusal_provider,
    UNAVAILABLE: () =>
      wait === null
        ? m.shared_refusal_unavailable({ brand })
        : m.shared_refusal_unavailable_for({ brand, wait: span(wait) }),
    OUTCOME_UNKNOWN: m.shared_refusal_outcome_unknown,
  };
  return words[refusal.code]?.() ?? null;
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
