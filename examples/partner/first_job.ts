// A partner in twenty lines: a key makes a case with a job, follows the mechanic live, and ends with the last webhook.
import { connect, dataOf } from "@roadcall/client";
import { Receiver } from "@roadcall/client/receiver";

const partner = connect(process.env["ROADCALL_URL"]!, process.env["ROADCALL_KEY"]);
const receiver = await Receiver.open(0, process.env["RECEIVER_NAME"]);
await receiver.subscribe(partner, { positions_every_s: 5 });
const random = crypto.randomUUID().slice(0, 8).toUpperCase();
const body = {
  contract_reference: process.env["ROADCALL_CONTRACT"]!, partner_reference: `claim-${random}`,
  beneficiary: { name: "Asha Rao", phone: "+919900000001" }, place: { location_type: "roadside" },
  vehicle: { registration_number: `KA${random}`, make: "Maruti", model: "Swift", vehicle_type: "four_wheeler" },
  job: { service_category_slug: "flat-tyre", pickup_address: "MG Road", pickup_lat: 12.9755, pickup_lng: 77.6068 },
} as const;
const made = await dataOf(partner.POST("/partner/cases", { body }));
for await (const { type, data } of receiver.events()) {
  console.log(type, ...(type === "job.position" ? [data["lat"], data["lng"]] : [data["case"].status]));
  if (["job.outcome", "job.no_mechanic_found"].includes(type) && data["case"].id === made.id) break;
}
await receiver.close();
