// Plays a customer's day with the client that is generated from the document: a job from its creation until it is paid, and the upload
// of a picture. It is compiled first, so that the document's types have to match, and then run against the service.
import { connect, dataOf as got, type Schemas } from "@roadcall/client";
import { admin, customer, here, vehicleOf } from "./people.js";

const nobody = connect(process.env["ROADCALL_URL"]!);
const limitMs = 20_000;

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + limitMs; Date.now() < end; ) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not within ${limitMs} ms`);
}

const [{ as: asha }, { as: ravi }, desk] = [await customer(), await customer(), await admin()];

const categories = await got(asha.GET("/service-categories", { params: { query: { vehicle_type: "two_wheeler" } } }));
const category = categories.data[0]!;
const profile = await got(
  ravi.POST("/mechanics/register", {
    body: { vehicle_types: ["two_wheeler"], service_category_ids: [category.id], documents: [], service_radius_km: 12 },
  }),
);
await got(desk.POST("/admin/mechanics/{id}/verify", { params: { path: { id: profile.id } }, body: {} }));
await got(ravi.PUT("/mechanics/me/availability", { body: { is_available: true, ...here } }));

const vehicle = await vehicleOf(asha);
const job = await got(
  asha.POST("/jobs", {
    params: { header: { "Idempotency-Key": crypto.randomUUID() } },
    body: {
      vehicle_id: vehicle.id,
      service_category_id: category.id,
      pickup_address: "MG Road, opposite the park",
      pickup_lat: here.lat,
      pickup_lng: here.lng,
    },
  }),
);
const path = { id: job.id };
const shown = (): Promise<Schemas["Job"]> => got(asha.GET("/jobs/{id}", { params: { path } }));
await until("the job waits", async () => ((await shown()).status === "dispatching" ? true : undefined));
const assignment = { mechanic_profile_id: profile.id, override_reason: "the only one" };
await got(desk.POST("/admin/jobs/{id}/assign", { params: { path }, body: assignment }));
await got(ravi.POST("/jobs/{id}/en-route", { params: { path } }));
await got(ravi.POST("/jobs/{id}/arrive", { params: { path }, body: { override_reason: "beside the park" } }));
const start_code = (await shown()).start_code!;
await got(ravi.POST("/jobs/{id}/start", { params: { path }, body: { start_code } }));
const item = { type: "part", description: "Valve", quantity: 1, unit_price: 251.39 } as const;
const { id: item_id, version } = await got(ravi.POST("/jobs/{id}/line-items", { params: { path }, body: item }));
const ofItem = { params: { path: { id: job.id, item_id } }, body: { version } };
await got(asha.POST("/jobs/{id}/line-items/{item_id}/approve", ofItem));
await got(ravi.POST("/jobs/{id}/complete", { params: { path }, body: { outcome: "fixed" } }));

const order = await got(asha.POST("/payments/orders", { body: { job_id: job.id } }));
const gateway_order_id = order.gateway_order_id!;
const pay = { params: { path: { gateway_order_id } }, body: { outcome: "captured" } } as const;
await got(nobody.POST("/sandbox/gateway/orders/{gateway_order_id}/pay", pay));
await until("the job is paid", async () => ((await shown()).status === "paid" ? true : undefined));
// This client sends several values of one parameter.
const paid = await got(asha.GET("/jobs", { params: { query: { status: ["paid", "resolved"], limit: 5 } } }));
if (paid.total !== 1 || paid.data[0]?.id !== job.id) throw new Error(`not listed as paid: ${JSON.stringify(paid)}`);
const ofPayment = { params: { path: { id: order.payment_id }, query: { format: "pdf" } }, parseAs: "blob" } as const;
const receipt: Blob = await got(asha.GET("/payments/{id}/receipt", ofPayment));
if (receipt.type !== "application/pdf") throw new Error(`the receipt is ${receipt.type}`);

const png = Buffer.from(process.env["ROADCALL_PICTURE"]!, "base64");
const file = { purpose: "job_photo", content_type: "image/png", size_bytes: png.length } as const;
const link = await got(asha.POST("/uploads/presign", { body: file }));
const asked = new URL(link.url).searchParams;
const query = { expires: Number(asked.get("expires")), signature: asked.get("signature")! };
const bytes = { params: { path: { id: link.upload_id }, query }, headers: link.headers, bodySerializer: () => png };
// The document describes bytes as a binary string; this client passes the serializer's result on.
await got(nobody.PUT("/uploads/{id}/content", { ...bytes, body: "" }));
const upload = await got(asha.POST("/uploads/{id}/complete", { params: { path: { id: link.upload_id } } }));
if (upload.status !== "complete") throw new Error(`the upload is ${upload.status}`);

console.log(`openapi-fetch: job ${job.id} paid, upload ${upload.id} complete`);
