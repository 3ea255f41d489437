// Fills every queue of the desk through the API, as people, their apps and the gateway would.
import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { Schemas } from "../support/examples";
import { Mechanic, newJob, newVehicle, north, signIn, until, type Person } from "../support/people";
import type { Service } from "../support/service";

export const WEBHOOK_SECRET = "a secret of the desk's tests";
/** Settings of a service whose gateway the tests can play, and whose pushes fail: their address is unreachable. */
export const SETTINGS = {
  ROADCALL__GATEWAY__WEBHOOK_SECRET: WEBHOOK_SECRET,
  ROADCALL__GATEWAY__INBOX_ATTEMPTS: "1",
  ROADCALL__WALLET__NEW_ACCOUNT_WAIT_HOURS: "0",
  ROADCALL__PUSH__PROVIDER: "fcm",
  ROADCALL__PUSH__ATTEMPTS: "1",
  ROADCALL__PUSH__FCM_BASE_URL: "http://127.0.0.1:9",
  ROADCALL__PUSH__FCM_TOKEN_URI: "http://127.0.0.1:9/token",
  ROADCALL__PUSH__FCM_PROJECT_ID: "desk",
  ROADCALL__PUSH__FCM_CLIENT_EMAIL: "desk@example.com",
  ROADCALL__PUSH__FCM_PRIVATE_KEY: generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
};
/** Texts that would run as scripts if a page took them for HTML. */
export const EVIL = ['<img src=x onerror="window.__ran=1">', '"><script>window.__ran=1</script>'] as const;
const CITY = { lat: 12.9716, lng: 77.5946 };
/** A place without mechanics. */
const FAR = { lat: 13.6, lng: 78.4 };

export interface Names {
  customer: string;
  mechanic: string;
  applicant: string;
  words: string;
}

/** Sends an event as the gateway would; returns its id. */
export async function gatewaySays(service: Pick<Service, "url">, event: string, payload: object): Promise<string> {
  const id = randomUUID();
  const body = JSON.stringify({ entity: "event", event, payload });
  const signature = createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex");
  const response = await fetch(`${service.url}/payments/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-gateway-signature": signature, "x-gateway-event-id": id },
    body,
  });
  if (!response.ok) throw new Error(`the webhook was answered with ${response.status}`);
  return id;
}

/** Returns a PNG of one colour. */
export function picture(width: number, height: number, [red, green, blue]: [number, number, number]): Buffer {
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([red, green, blue]))]);
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const lines = Buffer.concat(Array.from({ length: height }, () => line));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Uploads a file as its owner; returns the URL for request bodies. */
export async function upload(
  person: Person,
  purpose: Schemas["UploadPurpose"],
  content_type: Schemas["FileKind"],
  bytes: Buffer,
): Promise<string> {
  const { upload_id, url, headers, file_url } = await person.post<Schemas["PresignedUpload"]>("/uploads/presign", {
    purpose,
    content_type,
    size_bytes: bytes.length,
  });
  const { "content-length": _, ...sent } = headers as Record<string, string>;
  const response = await fetch(url, { method: "PUT", headers: sent, body: new Uint8Array(bytes) });
  if (!response.ok) throw new Error(`the upload was answered with ${response.status} ${await response.text()}`);
  await person.post(`/uploads/${upload_id}/complete`);
  return file_url;
}

/** Creates a mechanic whose profile awaits verification, with two documents. */
export async function applicant(
  service: Service,
  name: string,
  documents: { card: Buffer; certificate: Buffer } = {
    card: picture(640, 400, [40, 90, 160]),
    certificate: picture(420, 600, [200, 170, 90]),
  },
): Promise<{ person: Person; profileId: string }> {
  const person = await signIn(service, name);
  const { data: categories } = await person.get<{ data: { id: string }[] }>("/service-categories");
  const profile = await person.post<Schemas["MechanicProfile"]>("/mechanics/register", {
    vehicle_types: ["two_wheeler", "four_wheeler"],
    service_category_ids: categories.slice(0, 2).map(({ id }) => id),
    documents: [
      { type: "aadhaar", file_url: await upload(person, "document", "image/png", documents.card) },
      { type: "skill_cert", file_url: await upload(person, "document", "image/png", documents.certificate) },
    ],
    service_radius_km: 12,
  });
  return { person, profileId: profile.id };
}

export interface Work {
  customer: Person;
  mechanic: Mechanic;
  job: Schemas["Job"];
  paymentId: string;
  /** Null if it was paid in cash. */
  gatewayPaymentId: string | null;
}

/** Creates a job that was completed and paid. */
export async function paidJob(
  service: Service,
  mechanic: Mechanic,
  name: string,
  method: "online" | "cash",
  changes: Partial<Schemas["NewJob"]> = {},
  at = CITY,
): Promise<Work> {
  const customer = await signIn(service, name);
  const job = await newJob(customer, await newVehicle(customer), at, changes);
  await mechanic.move(at);
  await mechanic.doJob(customer, job.id);
  const order = await customer.post<Schemas["OrderMade"]>("/payments/orders", { job_id: job.id, method });
  if (method === "cash") {
    for (const side of [customer, mechanic.person])
      await side.post(`/payments/${order.payment_id}/cash-confirm`, { amount: order.amount });
  } else {
    const paid = await customer.post<Schemas["PaidOrder"]>(`/sandbox/gateway/orders/${order.gateway_order_id}/pay`, {
      outcome: "captured",
    });
    const { gateway_order_id, gateway_payment_id, signature } = paid;
    await customer.post("/payments/verify", { gateway_order_id, gateway_payment_id, signature });
  }
  await until("the job is paid", async () => (await customer.get<Schemas["Job"]>(`/jobs/${job.id}`)).status === "paid");
  const { gateway_payment_id } = await customer.get<Schemas["Payment"]>(`/payments/${order.payment_id}`);
  return { customer, mechanic, job, paymentId: order.payment_id, gatewayPaymentId: gateway_payment_id };
}

/** Opens a customer's dispute, which the mechanic answers. */
export async function dispute(
  work: Work,
  words: string,
  evidence: Buffer = picture(500, 380, [150, 40, 40]),
): Promise<void> {
  const file = await upload(work.customer, "evidence", "image/png", evidence);
  await work.customer.post(`/jobs/${work.job.id}/dispute`, {
    reason_code: "poor_work",
    description: words,
    evidence_urls: [file],
  });
  await work.mechanic.person.post(`/jobs/${work.job.id}/dispute/statements`, {
    statement: `The mechanic says: ${words}`,
  });
}

export async function parkedPayment(service: Service, paise: number): Promise<string> {
  const id = `pay_${randomUUID().slice(0, 14)}`;
  await gatewaySays(service, "payment.captured", {
    payment: {
      entity: {
        id,
        entity: "payment",
        order_id: `order_${randomUUID().slice(0, 14)}`,
        amount: paise,
        currency: "INR",
        status: "captured",
        method: "upi",
      },
    },
  });
  return id;
}

/** Reports, as the gateway, that a customer's bank wants its payment back. */
export async function chargeback(
  service: Service,
  work: Work,
  step: "created" | "won",
  reason: string,
  id = `disp_${randomUUID().slice(0, 14)}`,
): Promise<void> {
  await gatewaySays(service, `payment.dispute.${step}`, {
    dispute: { entity: { id, payment_id: work.gatewayPaymentId, amount: 10_000, reason_code: reason } },
  });
}

/** Adds an account in a different name from the one that the documents prove. */
export async function accountInAnotherName({ person }: Mechanic): Promise<void> {
  const vpa = `mismatch.${randomUUID().slice(0, 8)}@okbank`;
  await person.post("/wallet/upi", { vpa, holder_name: person.name });
  await until("the bank has named the holder", async () => {
    const { data } = await person.get<{ data: Schemas["UpiAccount"][] }>("/wallet/upi");
    return data.some((one) => one.vpa === vpa && one.verification_status === "name_mismatch");
  });
}

/** Asks to serve more, which waits for an admin; serving less is the mechanic's own decision. */
export async function askToServeMore(mechanic: Mechanic): Promise<void> {
  await mechanic.person.patch("/mechanics/me", { vehicle_types: ["two_wheeler"] });
  await mechanic.person.patch("/mechanics/me", { vehicle_types: ["two_wheeler", "four_wheeler"] });
}

/** Creates a withdrawal of the job's earnings, once they have cleared, that the bank refuses. */
async function failedWithdrawal(service: Service, { mechanic, job }: Work): Promise<void> {
  service.sql(`update earnings set clears_at = now() where job_id = '${job.id}'`);
  await mechanic.person.post("/wallet/upi", { vpa: "failure@okbank", holder_name: mechanic.person.name });
  await until("there is money to withdraw, and where to", async () => {
    const { withdrawable } = await mechanic.person.get<Schemas["Wallet"]>("/wallet");
    const { data: accounts } = await mechanic.person.get<{ data: Schemas["UpiAccount"][] }>("/wallet/upi");
    return withdrawable > 10 && accounts.some((account) => account.verification_status === "verified");
  });
  await mechanic.person.post("/wallet/withdrawals", { amount: 10 });
}

/** Creates an event that can never be read; returns its id at the gateway. */
export function deadEvent(service: Service, words: string): Promise<string> {
  return gatewaySays(service, "payment.captured", {
    payment: {
      entity: {
        id: `pay_${randomUUID().slice(0, 14)}`,
        entity: "payment",
        order_id: "order_x",
        amount: 5000,
        currency: "INR",
        status: "unheard_of",
        method: "upi",
        description: words,
      },
    },
  });
}

/** Creates a customer whom nobody can help, and who wants to be called. */
export async function callback(service: Service, name: string, note: string): Promise<Schemas["Job"]> {
  const customer = await signIn(service, name);
  const job = await newJob(customer, await newVehicle(customer), FAR, {
    pickup_address: "Toll plaza, NH 44, Chikkaballapur",
  });
  await customer.post(`/jobs/${job.id}/callback`, { note });
  return job;
}

/** Puts something into every queue. */
export async function fill(
  service: Service,
  admin: Person,
  names: Names,
): Promise<{ disputed: Work; paid: Work; cash: Work; applicants: string[]; callbackJob: string; grievance: string }> {
  const applicants = [await applicant(service, names.applicant), await applicant(service, `${names.applicant} B`)].map(
    ({ profileId }) => profileId,
  );
  const mechanic = await Mechanic.register(service, admin, names.mechanic, CITY);
  await mechanic.person.post("/notifications/push-tokens", {
    platform: "android",
    device_id: "phone",
    token: randomUUID(),
  });
  await mechanic.goOnline();
  const disputed = await paidJob(service, mechanic, names.customer, "online", {
    description: names.words,
    pickup_address: names.words,
  });
  await disputed.customer.post(`/jobs/${disputed.job.id}/rating`, { score: 1, tags: ["late"], comment: names.words });
  await disputed.mechanic.person.post(`/jobs/${disputed.job.id}/rating`, { score: 4, tags: [], comment: names.words });
  await dispute(disputed, names.words);
  const paid = await paidJob(service, mechanic, names.customer, "online", {}, north(CITY, 900));
  const cash = await paidJob(service, mechanic, names.customer, "cash", {}, north(CITY, 500));
  await admin.post(`/payments/${cash.paymentId}/refunds`, { reason: names.words, amount: 50 });
  await failedWithdrawal(service, paid);
  // A settlement covers past days.
  service.sql("update earnings set created_at = created_at - interval '14 days' where settlement_id is null");
  await chargeback(service, paid, "created", names.words.slice(0, 60));
  await parkedPayment(service, 45_000);
  await deadEvent(service, names.words);
  await askToServeMore(mechanic);
  await accountInAnotherName(mechanic);
  const { id: callbackJob } = await callback(service, names.customer, names.words);
  const asking = await signIn(service, names.customer);
  const { id: grievance } = await asking.post<Schemas["Grievance"]>("/users/me/grievances", {
    kind: "access",
    text: names.words,
  });
  await until("every queue has something", async () => {
    const { waiting } = await admin.get<Schemas["Live"]>("/admin/live");
    const counts = [
      waiting.mechanics,
      waiting.mechanic_changes,
      waiting.disputes,
      waiting.callbacks,
      waiting.grievances,
      waiting.upi_mismatches,
      waiting.parked_payments,
      waiting.chargebacks,
      waiting.dead_webhooks,
      waiting.cash_refunds,
    ];
    const [withdrawals, pushes] = await Promise.all(
      ["/admin/withdrawals?status=failed", "/admin/failed-pushes"].map((path) => admin.get<{ total: number }>(path)),
    );
    return [...counts, withdrawals?.total ?? 0, pushes?.total ?? 0].every((count) => count > 0);
  });
  return { disputed, paid, cash, applicants, callbackJob, grievance };
}
