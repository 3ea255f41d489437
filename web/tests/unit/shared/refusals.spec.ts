import { beforeEach, expect, test } from "vitest";
import { NoAnswer, Refusal, refusalOf, type Code } from "../../../src/shared/api/errors";
import { Full } from "../../../src/shared/outbox/outbox";
import { explain, faultOf, span } from "../../../src/shared/text/refusals";
import { locales, overwriteGetLocale } from "../../../src/words/runtime.js";

/** Whether people can meet a code; for codes that only admins or programs meet, the service's own message is shown. */
const met: Record<Code, boolean> = {
  BAD_REQUEST: true,
  UNAUTHORIZED: true,
  TOKEN_EXPIRED: true,
  INVALID_OTP: true,
  SECOND_FACTOR_REQUIRED: false,
  SIGNATURE_INVALID: true,
  FORBIDDEN: true,
  ACCOUNT_SUSPENDED: true,
  EMAIL_NOT_VERIFIED: false,
  COOKIE_REFUSED: true,
  SECOND_FACTOR_MISSING: false,
  NOT_VERIFIED: true,
  DESK_NEEDED: false,
  NOT_FOUND: true,
  NO_PRIVACY_NOTICE: false,
  METHOD_NOT_ALLOWED: false,
  CONFLICT: false,
  INVALID_TRANSITION: true,
  OFFER_TAKEN: true,
  OFFER_EXPIRED: true,
  ACTIVE_JOB_EXISTS: true,
  TOO_MANY_OPEN_JOBS: true,
  // The service's message comes from the admin who stopped new jobs.
  NO_NEW_JOBS: false,
  CONSENT_NEEDED: true,
  NOTICE_CHANGED: true,
  PUSH_NOT_SET_UP: true,
  ALREADY_REGISTERED: true,
  VEHICLE_IN_USE: true,
  CATEGORY_IN_USE: false,
  PENDING_APPROVAL: true,
  FEE_CHANGED: true,
  PRICE_CHANGED: true,
  UNPAID_FEES: true,
  INSUFFICIENT_BALANCE: true,
  ALREADY_RATED: true,
  IDEMPOTENCY_IN_FLIGHT: true,
  LINK_EXPIRED: true,
  PAYLOAD_TOO_LARGE: true,
  UNSUPPORTED_MEDIA_TYPE: true,
  VALIDATION_FAILED: true,
  WRONG_START_CODE: true,
  TOO_FAR_FROM_PICKUP: true,
  IDEMPOTENCY_KEY_REUSED: false,
  RATE_LIMITED: true,
  INTERNAL_ERROR: true,
  PROVIDER_ERROR: true,
  UNAVAILABLE: true,
  OUTCOME_UNKNOWN: true,
};

const message = "What the service says.";

beforeEach(() => {
  overwriteGetLocale(() => "en");
  Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
});

test("every refusal that people meet has words in each language", () => {
  for (const [code, isMet] of Object.entries(met) as [Code, boolean][]) {
    const texts = locales.map((locale) => {
      overwriteGetLocale(() => locale);
      return explain(new Refusal(409, code, message));
    });
    expect(new Set(texts).size, `${code}: ${texts.join(" / ")}`).toBeGreaterThan(1);
    for (const text of texts) expect(text.includes(message), `${code}: ${text}`).toBe(!isMet);
  }
});

test("a page may know better", () => {
  expect(explain(new Refusal(409, "CONFLICT", message), { CONFLICT: "The chat is closed." })).toBe(
    "The chat is closed.",
  );
  expect(explain(new Refusal(409, "CONFLICT", message))).toBe(message);
});

test("says how long to wait, rounded up", () => {
  expect(explain(new Refusal(429, "RATE_LIMITED", message, {}, 42))).toContain("42 seconds");
  expect(span(1)).toBe("1 second");
  expect(span(91)).toBe("2 minutes");
  expect(span(5400)).toBe("2 hours");
  overwriteGetLocale(() => "hi");
  expect(span(120)).toContain("मिनट");
});

test("tells a lost connection from a service that does not answer", () => {
  const reachable = explain(new NoAnswer("x"));
  Object.defineProperty(globalThis, "navigator", { value: { onLine: false }, configurable: true });
  expect(explain(new NoAnswer("x"))).not.toBe(reachable);
  expect(explain(new TypeError("x is undefined"))).not.toContain("undefined");
});

test("says that there is no room for what waits to be sent, in words of its own", () => {
  expect(explain(new Full())).toContain("waiting to be sent");
});

test("how far away somebody is comes from the service, whose reason it is", () => {
  const error = { code: "TOO_FAR_FROM_PICKUP", message: "You are 151 m from the pickup.", distance_m: 151 };
  expect(refusalOf(422, { success: false, error }, null).distanceM).toBe(151);
  // The service knows no place that it can trust, so the page names none either.
  const { distance_m: _, ...unknown } = error;
  expect(refusalOf(422, { success: false, error: unknown }, null).distanceM).toBeNull();
});

test("what is wrong with a field is said in the language of the page", () => {
  const refusal = new Refusal(422, "VALIDATION_FAILED", message, { vpa: ["must be as name@bank"] });
  const said = locales.map((locale) => {
    overwriteGetLocale(() => locale);
    return faultOf(refusal, "vpa");
  });
  expect(said[locales.indexOf("en")]).toBe("must be as name@bank");
  expect(new Set(said).size).toBe(locales.length);
  expect([faultOf(refusal, "amount"), faultOf(new Error("else"), "vpa")]).toEqual([null, null]);
});
