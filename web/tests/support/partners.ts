// Partners with a contract and a key, and the cases that they send.
import { randomInt, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Schemas } from "./examples";
import { listen } from "./listening";
import { FLAT_TYRE, newPhone, Person, type Place } from "./people";
import { pixel, sendFile } from "./pixel";

export interface Partner {
  organisation: Schemas["Organisation"];
  contract: Schemas["PartnerContract"];
  /** A program with a key of every scope. */
  program: Person;
}

/** Creates an organisation that may order help with flat tyres, at the prices that customers pay. */
export async function newPartner(
  admin: Person,
  name: string,
  changes: Partial<Schemas["NewContract"]> = {},
): Promise<Partner> {
  const organisation = await admin.post<Schemas["Organisation"]>("/admin/organisations", { name, kind: "club" });
  const at = `/admin/organisations/${organisation.id}`;
  const contract = await admin.post<Schemas["PartnerContract"]>(`${at}/contracts`, {
    reference: "club-2026",
    terms: [{ service_category_id: FLAT_TYRE, pricing: "quoted" }],
    ...changes,
  });
  const { secret } = await admin.post<Schemas["NewlyMadeKey"]>(`${at}/keys`, {
    name: "The club's program",
    scopes: ["read", "cases", "approvals", "webhooks", "keys", "offers"],
    expires_in_days: 30,
  });
  return { organisation, contract, program: new Person(admin.base, secret, organisation.account_id, "", name) };
}

/** Returns the body of a case or an offer about a car with a flat tyre. */
const caseOf = ({ contract }: Partner, at: Place): Schemas["NewCase"] => ({
  contract_reference: contract.reference,
  partner_reference: `case-${randomUUID().slice(0, 8)}`,
  beneficiary: { name: "Meera Iyer", phone: newPhone() },
  vehicle: {
    registration_number: `KA01${randomInt(1e5, 1e6)}`,
    make: "Maruti",
    model: "Swift",
    vehicle_type: "four_wheeler",
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

export const newCase = (partner: Partner, at: Place): Promise<Schemas["PartnerCase"]> =>
  partner.program.post("/partner/cases", caseOf(partner, at));

/** Offers a job as a club does. */
export const newOffer = (partner: Partner, at: Place, answer_within_s = 300): Promise<Schemas["PartnerCase"]> =>
  partner.program.post("/partner/offers", { ...caseOf(partner, at), answer_within_s });

/** Adds a picture to the documents of a case. */
export async function newDocument({ program }: Partner, caseId: string, name: string): Promise<void> {
  const { buffer, mimeType } = pixel("document.png");
  const at = `/partner/cases/${caseId}`;
  const file = { content_type: mimeType, size_bytes: buffer.byteLength };
  const upload = await program.post<Schemas["PresignedUpload"]>(`${at}/uploads`, file);
  await sendFile(upload, buffer);
  await program.post(`${at}/documents`, { upload_id: upload.upload_id, kind: "police_report", name });
}

/** Receives events: proves its address as the documents say, and answers the events with `status`. */
export async function receiver(status = 200): Promise<{ url: string; types: string[]; server: Server }> {
  const types: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => (text += String(piece)));
    request.on("end", () => {
      const { type, data } = JSON.parse(text) as { type: string; data: { challenge?: string } };
      types.push(type);
      response.writeHead(data.challenge ? 200 : status, { "content-type": "application/json" });
      response.end(JSON.stringify({ challenge: data.challenge ?? null }));
    });
  });
  return { url: `http://localhost:${await listen(server)}/events`, types, server };
}
