import { expect, test } from "vitest";
import { contractOf, emptyContract, isInForce } from "../../../src/console/desk/partners/contract";
import { toRing } from "../../../src/console/desk/partners/ringing";

const TOW = "018f0000-0000-7000-8000-000000000003";

/** Returns the fields of a contract that covers tows. */
function filled() {
  const fields = emptyContract([TOW, "another"], "2026-03-14");
  fields.reference = " Club 2026 ";
  const terms = fields.terms[TOW];
  if (!terms) throw new Error("no terms");
  terms.isCovered = true;
  return { fields, terms };
}

test("a contract covers only the chosen kinds of help, and quoted prices have no amounts", () => {
  const { fields } = filled();
  const { body, wrong } = contractOf(fields);
  expect(wrong).toEqual({});
  expect(body).toMatchObject({ reference: "Club 2026", valid_until: null, cover: null, approval_minutes: 15 });
  expect(body?.terms).toHaveLength(1);
  expect(body?.terms[0]).toMatchObject({
    service_category_id: TOW,
    pricing: "quoted",
    gone_on_arrival_percent: 50,
    promise_missed_percent: 100,
  });
  expect(body?.terms[0]).not.toHaveProperty("call_out");
});

test("agreed prices are needed with agreed terms alone", () => {
  const { fields, terms } = filled();
  terms.pricing = "agreed";
  expect(Object.keys(contractOf(fields).wrong)).toEqual([`${TOW}.call_out`, `${TOW}.included_km`, `${TOW}.per_km`]);
  Object.assign(terms, { call_out: "999.50", included_km: "10", per_km: "25" });
  expect(contractOf(fields).body?.terms[0]).toMatchObject({ call_out: 999.5, included_km: 10, per_km: 25 });
});

test("a contract without a reference, without help, or with odd numbers is not sent", () => {
  const fields = emptyContract([TOW], "2026-03-14");
  fields.cover = "1.234";
  fields.approval_minutes = "0";
  fields.valid_until = "2026-03-13";
  const { body, wrong } = contractOf(fields);
  expect(body).toBeNull();
  expect(Object.keys(wrong).sort()).toEqual(["approval_minutes", "cover", "reference", "terms", "valid_until"]);
});

test("the last day of a contract counts", () => {
  const { fields } = filled();
  fields.valid_until = "2026-03-31";
  expect(contractOf(fields).body?.valid_until).toBe(new Date(2026, 3, 1).toISOString());
});

test("a contract is in force from its beginning until its end, or until somebody ends it", () => {
  const contract = { valid_from: "2026-03-01T00:00:00Z", valid_until: "2026-04-01T00:00:00Z", ended_at: null };
  const on = (day: string) => isInForce(contract, Date.parse(`${day}T12:00:00Z`));
  expect([on("2026-02-28"), on("2026-03-01"), on("2026-03-31"), on("2026-04-01")]).toEqual([false, true, true, false]);
  const now = Date.parse("2026-03-02T00:00:00Z");
  expect(isInForce({ ...contract, valid_until: null }, now)).toBe(true);
  expect(isInForce({ ...contract, ended_at: "2026-03-01T12:00:00Z" }, now)).toBe(false);
});

test("an offer rings until its sound is turned off or a call is asked for, and a later one rings anew", () => {
  const offer = (id: string, stage: "waiting" | "call_asked" = "waiting") => ({ id, offer: { stage } });
  const open = [offer("first"), offer("called", "call_asked")];
  expect(toRing(open, new Set()).map(({ id }) => id)).toEqual(["first"]);
  expect(toRing(open, new Set(["first"]))).toEqual([]);
  expect(toRing([...open, offer("second")], new Set(["first"])).map(({ id }) => id)).toEqual(["second"]);
});

test("percentages are whole numbers up to a hundred, and references have at most 64 characters", () => {
  const { fields, terms } = filled();
  terms.cancelled_percent = "12.5";
  terms.unsuccessful_percent = "101";
  fields.reference = "x".repeat(65);
  const { wrong } = contractOf(fields);
  expect(Object.keys(wrong).sort()).toEqual(
    [`${TOW}.cancelled_percent`, `${TOW}.unsuccessful_percent`, "reference"].sort(),
  );
});
