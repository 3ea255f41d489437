// Partners with a contract and a key, and the cases that they send.
import { randomInt, randomUUID } from "node:crypto";
import type {
  MadePartnerKey,
  NewPartnerContract,
  Organisation,
  PartnerCase,
  PartnerContract,
} from "../../src/shared/partners/types";
import { FLAT_TYRE, newPhone, Person, type Place } from "./people";

export interface Partner {
  organisation: Organisation;
  contract: PartnerContract;
  /** A program with a key of every scope. */
  program: Person;
}

/** Creates an organisation that may order help with flat tyres. */
export async function newPartner(
  admin: Person,
  name: string,
  changes: Partial<NewPartnerContract> = {},
): Promise<Partner> {
  const organisation = await admin.post<Organisation>("/admin/organisations", { name, kind: "club" });
  const at = `/admin/organisations/${organisation.id}`;
  const shares = {
    gone_on_arrival_bps: 5000,
    unsuccessful_bps: 5000,
    destination_refused_bps: 10_000,
    cancelled_bps: 5000,
    promise_missed_bps: 10_000,
  };
  const quoted = { pricing: "quoted", call_out: null, included_km: null, per_km: null } as const;
  const terms = { ...quoted, ...shares, photos_required: 0, free_cancellation_minutes: 15 };
  const contract = await admin.post<PartnerContract>(`${at}/contracts`, {
    reference: "club-2026",
    valid_from: new Date(Date.now() - 60_000).toISOString(),
    valid_until: null,
    cover: null,
    cover_km: null,
    accepts_promises: true,
    approval_minutes: 15,
    approval_default: "reject",
    shows_prices: false,
    requires_purchase_order: false,
    texts: ["link"],
    terms: [{ service_category_id: FLAT_TYRE, ...terms }],
    ...changes,
  });
  const { key } = await admin.post<MadePartnerKey>(`${at}/keys`, {
    name: "The club's program",
    scopes: ["read", "cases", "approvals", "webhooks", "keys", "offers"],
    expires_in_days: 30,
  });
  return { organisation, contract, program: new Person(admin.base, key, organisation.account_id, "", name) };
}

/** Returns the body of a case or an offer about a car with a flat tyre. */
export const caseOf = ({ contract }: Partner, at: Place) => ({
  contract_reference: contract.reference,
  partner_reference: `case-${randomUUID().slice(0, 8)}`,
  beneficiary: { name: "Meera Iyer", phone: newPhone() },
  vehicle: {
    registration_number: `KA01${randomInt(1e5, 1e6)}`,
    make: "Maruti",
    model: "Swift",
    type: "four_wheeler",
  },
  place: { location_type: "roadside", is_attended: true },
  internal_notes: "The customer called twice.",
  job: {
    service_category_slug: "flat-tyre",
    pickup_address: "Opposite the post office",
    pickup_lat: at.lat,
    pickup_lng: at.lng,
  },
});

export const newCase = (partner: Partner, at: Place): Promise<PartnerCase> =>
  partner.program.post("/partner/cases", caseOf(partner, at));

/** Offers a job as a club does. */
export const newOffer = (partner: Partner, at: Place, answer_within_s = 300): Promise<PartnerCase> =>
  partner.program.post("/partner/offers", { ...caseOf(partner, at), answer_within_s });
