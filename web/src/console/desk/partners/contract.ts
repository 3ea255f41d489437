// A contract in the format of its form. Pure.
import type { Schemas } from "$shared/api/client";

type Contract = Schemas["PartnerContract"];
type Terms = Schemas["ContractTerms"];
export type PercentField = Extract<keyof Terms, `${string}_percent`>;

/** The outcomes of which a share of the price is payable. */
export const percentOutcomes: [PercentField, string][] = [
  ["gone_on_arrival_percent", "Gone on arrival"],
  ["unsuccessful_percent", "Unsuccessful"],
  ["destination_refused_percent", "Destination refused"],
  ["cancelled_percent", "Cancelled late"],
  ["promise_missed_percent", "Promise missed"],
];
export const textNames: Record<Schemas["BeneficiaryText"], string> = {
  link: "Link to follow the job",
  eta: "Time of arrival",
  arrival: "The mechanic is there",
  rating: "Request to rate",
};

type NumberField = "call_out" | "included_km" | "per_km" | "photos_required" | "free_cancellation_minutes";
export type TermsFields = Record<NumberField | PercentField, string> & {
  isCovered: boolean;
  pricing: Schemas["PricingRule"];
};
export interface ContractFields {
  reference: string;
  /** Days, the last one included. */
  valid_from: string;
  valid_until: string;
  cover: string;
  cover_km: string;
  approval_minutes: string;
  approval_default: Schemas["ApprovalDefault"];
  accepts_promises: boolean;
  shows_prices: boolean;
  requires_purchase_order: boolean;
  texts: Schemas["BeneficiaryText"][];
  /** By the category's id. */
  terms: Record<string, TermsFields>;
}

const usualTerms = (): TermsFields => ({
  isCovered: false,
  pricing: "quoted",
  call_out: "",
  included_km: "",
  per_km: "",
  photos_required: "0",
  free_cancellation_minutes: "15",
  gone_on_arrival_percent: "50",
  unsuccessful_percent: "50",
  destination_refused_percent: "100",
  cancelled_percent: "50",
  promise_missed_percent: "100",
});

export const emptyContract = (categoryIds: string[], today: string): ContractFields => ({
  reference: "",
  valid_from: today,
  valid_until: "",
  cover: "",
  cover_km: "",
  approval_minutes: "15",
  approval_default: "reject",
  accepts_promises: true,
  shows_prices: false,
  requires_purchase_order: false,
  texts: ["link", "arrival"],
  terms: Object.fromEntries(categoryIds.map((id) => [id, usualTerms()])),
});

/** Reads numbers, and collects the errors of their fields. */
class Reader {
  readonly wrong: Record<string, string> = {};

  number(name: string, text: string, most: number, digits = 0, least = 0): number {
    const value = Number(text.trim());
    const scale = 10 ** digits;
    const isFine = text.trim() !== "" && value >= least && value <= most && Math.round(value * scale) / scale === value;
    if (!isFine) this.wrong[name] = `A ${digits === 0 ? "whole number" : "number"} from ${least} to ${most}.`;
    return value;
  }

  optional(name: string, text: string, most: number, digits = 0): number | null {
    return text.trim() === "" ? null : this.number(name, text, most, digits, 1);
  }

  terms(id: string, fields: TermsFields): Schemas["NewTerms"] {
    const of = (name: NumberField | PercentField, most: number, digits = 0) =>
      this.number(`${id}.${name}`, fields[name], most, digits);
    const isAgreed = fields.pricing === "agreed";
    return {
      service_category_id: id,
      pricing: fields.pricing,
      ...(isAgreed && {
        call_out: of("call_out", 10_000_000, 2),
        included_km: of("included_km", 10_000),
        per_km: of("per_km", 10_000_000, 2),
      }),
      photos_required: of("photos_required", 10),
      free_cancellation_minutes: of("free_cancellation_minutes", 1440),
      ...Object.fromEntries(percentOutcomes.map(([name]) => [name, of(name, 100)])),
    };
  }
}

const startOf = (day: string) => new Date(`${day}T00:00:00`);

/** Returns the body to send, or the errors of the fields by their names: those of terms are `<category>.<name>`. */
export function contractOf(fields: ContractFields): {
  body: Schemas["NewContract"] | null;
  wrong: Record<string, string>;
} {
  const reader = new Reader();
  const reference = fields.reference.trim();
  const covered = Object.entries(fields.terms).filter(([, { isCovered }]) => isCovered);
  if (reference === "") reader.wrong["reference"] = "Fill this in.";
  if (reference.length > 64) reader.wrong["reference"] = "At most 64 characters.";
  if (fields.valid_from === "") reader.wrong["valid_from"] = "Choose a day.";
  if (fields.valid_until !== "" && fields.valid_until < fields.valid_from)
    reader.wrong["valid_until"] = "It ends before it begins.";
  if (covered.length === 0) reader.wrong["terms"] = "Choose at least one kind of help.";
  const numbers = {
    cover: reader.optional("cover", fields.cover, 10_000_000, 2),
    cover_km: reader.optional("cover_km", fields.cover_km, 10_000),
    approval_minutes: reader.number("approval_minutes", fields.approval_minutes, 1440, 0, 1),
    terms: covered.map(([id, terms]) => reader.terms(id, terms)),
  };
  const { wrong } = reader;
  if (Object.keys(wrong).length > 0) return { body: null, wrong };
  const { approval_default, accepts_promises, shows_prices, requires_purchase_order, texts } = fields;
  const body = {
    reference,
    valid_from: startOf(fields.valid_from).toISOString(),
    valid_until: fields.valid_until === "" ? null : dayAfter(fields.valid_until),
    approval_default,
    accepts_promises,
    shows_prices,
    requires_purchase_order,
    texts,
    ...numbers,
  };
  return { body, wrong };
}

/** Returns the first moment after a day. */
function dayAfter(day: string): string {
  const at = startOf(day);
  at.setDate(at.getDate() + 1);
  return at.toISOString();
}

/** Returns whether new cases can refer to a contract. */
export function isInForce(
  { valid_from, valid_until, ended_at }: Pick<Contract, "valid_from" | "valid_until" | "ended_at">,
  nowMs: number,
): boolean {
  const isOver = ended_at !== null || (valid_until !== null && Date.parse(valid_until) <= nowMs);
  return !isOver && Date.parse(valid_from) <= nowMs;
}
