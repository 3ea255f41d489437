// A contract in the format of its form. Pure.
import type {
  NewPartnerContract,
  PartnerContract,
  PartnerTerms,
  PartnerText,
  PercentOutcome,
  Shares,
} from "$shared/partners/types";

/** The outcomes of which a share of the price is payable. */
export const percentOutcomes: [PercentOutcome, string][] = [
  ["gone_on_arrival", "Gone on arrival"],
  ["unsuccessful", "Unsuccessful"],
  ["destination_refused", "Destination refused"],
  ["cancelled", "Cancelled late"],
  ["promise_missed", "Promise missed"],
];
export const textNames: Record<PartnerText, string> = {
  link: "Link to follow the job",
  eta: "Time of arrival",
  arrival: "The mechanic is there",
  rating: "Request to rate",
};

type NumberField = "call_out" | "included_km" | "per_km" | "photos_required" | "free_cancellation_minutes";
export type TermsFields = Record<NumberField | PercentOutcome, string> & {
  isCovered: boolean;
  pricing: PartnerTerms["pricing"];
};
export interface ContractFields {
  reference: string;
  /** Days, the last one included. */
  valid_from: string;
  valid_until: string;
  cover: string;
  cover_km: string;
  approval_minutes: string;
  approval_default: NewPartnerContract["approval_default"];
  accepts_promises: boolean;
  shows_prices: boolean;
  requires_purchase_order: boolean;
  texts: PartnerText[];
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
  gone_on_arrival: "50",
  unsuccessful: "50",
  destination_refused: "100",
  cancelled: "50",
  promise_missed: "100",
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

  terms(id: string, fields: TermsFields): PartnerTerms {
    const of = (name: NumberField | PercentOutcome, most: number, digits = 0) =>
      this.number(`${id}.${name}`, fields[name], most, digits);
    const isAgreed = fields.pricing === "agreed";
    const share = ([name]: [PercentOutcome, string]) => [`${name}_bps`, Math.round(of(name, 100, 2) * 100)];
    return {
      service_category_id: id,
      pricing: fields.pricing,
      call_out: isAgreed ? of("call_out", 1_000_000, 2) : null,
      included_km: isAgreed ? of("included_km", 10_000) : null,
      per_km: isAgreed ? of("per_km", 100_000, 2) : null,
      photos_required: of("photos_required", 10),
      free_cancellation_minutes: of("free_cancellation_minutes", 1440),
      ...(Object.fromEntries(percentOutcomes.map(share)) as Shares),
    };
  }
}

const startOf = (day: string) => new Date(`${day}T00:00:00`);

/** Returns the body to send, or the errors of the fields by their names: those of terms are `<category>.<name>`. */
export function contractOf(fields: ContractFields): { body: NewPartnerContract | null; wrong: Record<string, string> } {
  const reader = new Reader();
  const covered = Object.entries(fields.terms).filter(([, { isCovered }]) => isCovered);
  if (fields.reference.trim().length < 1) reader.wrong["reference"] = "Fill this in.";
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
    reference: fields.reference.trim(),
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
  { valid_from, valid_until, ended_at }: Pick<PartnerContract, "valid_from" | "valid_until" | "ended_at">,
  nowMs: number,
): boolean {
  const isOver = ended_at !== null || (valid_until !== null && Date.parse(valid_until) <= nowMs);
  return !isOver && Date.parse(valid_from) <= nowMs;
}
