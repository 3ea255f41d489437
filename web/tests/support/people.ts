// People with their own apps, over HTTP: admins, mechanics and customers for the tests of pages.
import { randomInt, randomUUID } from "node:crypto";
import type { Schemas } from "./examples";
import { pixel, sendFile } from "./pixel";
import type { Service } from "./service";

type Body = Record<string, unknown>;

export interface Place {
  lat: number;
  lng: number;
}

const LIMIT_MS = 120_000;
const SILENT_MS = 10_000;
export const ADMIN_PASSWORD = "seven wrenches in a blue box";
/** The default categories of every service. */
export const FLAT_TYRE = "018f0000-0000-7000-8000-000000000001";

/** Repeats `ask` until its answer is neither null nor false. */
export async function until<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await ask();
    if (found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns a number that nobody else in the tests has. */
export function newPhone(): string {
  return `+919${String(randomInt(0, 1e9)).padStart(9, "0")}`;
}

/** Returns a place some metres north of another one. */
export function north(from: Place, metres: number): Place {
  return { lat: from.lat + metres / 111_320, lng: from.lng };
}

export class Person {
  constructor(
    readonly base: string,
    readonly token: string,
    readonly userId: string,
    readonly phone: string,
    readonly name: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return request(this.base, "GET", path, undefined, this.token);
  }
  post<T = unknown>(path: string, body: Body = {}): Promise<T> {
    return request(this.base, "POST", path, body, this.token);
  }
  put<T = unknown>(path: string, body: Body): Promise<T> {
    return request(this.base, "PUT", path, body, this.token);
  }
  patch<T = unknown>(path: string, body: Body): Promise<T> {
    return request(this.base, "PATCH", path, body, this.token);
  }
  delete<T = unknown>(path: string): Promise<T> {
    return request(this.base, "DELETE", path, undefined, this.token);
  }

  /** Writes a message in the chat of a job. */
  write(jobId: string, body: string): Promise<unknown> {
    return this.post(`/jobs/${jobId}/messages`, { client_message_id: randomUUID(), type: "text", body });
  }
}

/** Routes whose answer contains a secret take no key: a repeat could not return the secret again. */
const HAS_SECRET = new RegExp(
  "^/(uploads/presign|super-admin/invites|admin/place-requests|mechanics/me/trackers|.*/shares?|" +
    "admin/organisations/[^/]+/keys|partner/keys|partner/subscriptions|partner/cases/[^/]+/uploads)$",
);

/** Sends a request, and repeats it like an app if the service says that it is too busy and did nothing. */
async function request<T>(base: string, method: string, path: string, body?: Body, token?: string): Promise<T> {
  const takesKey = method === "POST" && !HAS_SECRET.test(path);
  const attempt: Record<string, string> = takesKey ? { "idempotency-key": randomUUID() } : {};
  return until(`${method} ${path}`, async () => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(body ? { "content-type": "application/json" } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...attempt,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (response.ok) return { answer: (text === "" ? null : JSON.parse(text)) as T };
    if (response.status === 503 && text.includes('"UNAVAILABLE"')) return null;
    throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }).then(({ answer }) => answer);
}

/** Returns the one-time password that the service would send, as development shows it. */
export async function oneTimePassword(service: Service, phone: string): Promise<string> {
  const sent = await request<{ data: Schemas["OtpSent"] }>(service.url, "POST", "/auth/send-otp", { phone });
  if (!sent.data.otp) throw new Error("this service does not show one-time passwords");
  return sent.data.otp;
}

export async function signIn(service: Service, name: string, phone = newPhone()): Promise<Person> {
  const otp = await oneTimePassword(service, phone);
  const { data } = await request<{ data: Schemas["Verified"] }>(service.url, "POST", "/auth/verify-otp", {
    phone,
    otp,
    name,
  });
  return new Person(service.url, data.accessToken, data.userId, phone, name);
}

/** Creates an admin with their own account at the embedded identity provider. */
export async function newAdmin(service: Service, role: "admin" | "super_admin" = "super_admin"): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  await service.run(["admin", "create", "--email", email, "--role", role], `${ADMIN_PASSWORD}\n`);
  const { idToken } = await request<Schemas["IdToken"]>(service.url, "POST", "/idp/token", {
    email,
    password: ADMIN_PASSWORD,
  });
  const { data } = await request<{ data: Schemas["SignedIn"] }>(service.url, "POST", "/auth/admin-login", {
    idpIdToken: idToken,
  });
  return new Person(service.url, data.accessToken, data.userId, email, "Admin");
}

/** Creates a customer's vehicle. */
export function newVehicle(
  customer: Person,
  changes: Partial<Schemas["NewVehicle"]> = {},
): Promise<Schemas["Vehicle"]> {
  return customer.post("/vehicles", {
    vehicle_type: "two_wheeler",
    make: "Hero",
    model: "Splendor",
    registration_number: `KA01${randomInt(1e5, 1e6)}`,
    color: "Black",
    ...changes,
  });
}

/** Calls for help, as the customer's app does. */
export function newJob(
  customer: Person,
  vehicle: Schemas["Vehicle"],
  at: Place,
  changes: Partial<Schemas["NewJob"]> = {},
): Promise<Schemas["Job"]> {
  return customer.post("/jobs", {
    vehicle_id: vehicle.id,
    service_category_id: FLAT_TYRE,
    pickup_lat: at.lat,
    pickup_lng: at.lng,
    pickup_address: "Opposite the post office",
    ...changes,
  });
}

/** Registers a person for every kind of help and vehicle, and verifies them. Returns the profile's id. */
export async function verify(person: Person, admin: Person): Promise<string> {
  const { data: categories } = await person.get<{ data: { id: string }[] }>("/service-categories");
  const { id } = await person.post<Schemas["MechanicProfile"]>("/mechanics/register", {
    vehicle_types: ["two_wheeler", "three_wheeler", "four_wheeler", "commercial"],
    service_category_ids: categories.map(({ id }) => id),
    documents: [{ type: "aadhaar", file_url: "https://files.example.com/demo/aadhaar.pdf" }],
    service_radius_km: 30,
  });
  await admin.post(`/admin/mechanics/${id}/verify`);
  return id;
}

/** A verified mechanic whose phone sends positions. */
export class Mechanic {
  #seq = 0;
  #movedAt = 0;
  #at: Place;
  private constructor(
    readonly person: Person,
    readonly profileId: string,
    at: Place,
  ) {
    this.#at = at;
  }

  /** Signs up, registers for every kind of help and vehicle, and is verified by `admin`. */
  static async register(service: Service, admin: Person, name: string, at: Place): Promise<Mechanic> {
    const person = await signIn(service, name);
    return new Mechanic(person, await verify(person, admin), at);
  }

  /** Moves to `at`, as their phone sees it. */
  async move(at: Place = this.#at, changes: Partial<Schemas["TrackPoint"]> = {}): Promise<void> {
    this.#at = at;
    this.#seq += 1;
    this.#movedAt = Date.now();
    const point = { seq: this.#seq, ...at, accuracy_m: 5, recorded_at: new Date().toISOString(), ...changes };
    await this.person.post("/mechanics/me/location", { points: [point] });
  }

  async goOnline(): Promise<void> {
    await this.person.put("/mechanics/me/availability", { is_available: true });
    await this.move();
  }

  async goOffline(): Promise<void> {
    await this.person.put("/mechanics/me/availability", { is_available: false });
  }

  /** Waits for the offer of a job and accepts it. */
  async accept(jobId: string): Promise<Schemas["Job"]> {
    const offer = await until("an offer", async () => {
      // A mechanic whose phone is silent for a minute is no longer online.
      if (Date.now() - this.#movedAt > SILENT_MS) await this.move();
      const { data } = await this.person.get<{ data: Schemas["Offer"][] }>("/mechanics/me/offers");
      return data.find((offered) => offered.job_id === jobId) ?? null;
    });
    return this.person.post(`/offers/${offer.id}/accept`);
  }

  setOut(jobId: string): Promise<Schemas["Job"]> {
    return this.person.post(`/jobs/${jobId}/en-route`);
  }

  /** Goes to the pickup, and reports the arrival. */
  async arrive(job: Schemas["Job"]): Promise<Schemas["Job"]> {
    await this.move({ lat: job.pickup_lat, lng: job.pickup_lng });
    return this.person.post(`/jobs/${job.id}/arrive`, { override_reason: "The gate is closed" });
  }

  start(jobId: string, code: string): Promise<Schemas["Job"]> {
    return this.person.post(`/jobs/${jobId}/start`, { start_code: code });
  }

  propose(
    jobId: string,
    description: string,
    price: number,
    changes: Partial<Schemas["NewLineItem"]> = {},
  ): Promise<Schemas["LineItem"]> {
    return this.person.post(`/jobs/${jobId}/line-items`, {
      type: "part",
      description,
      quantity: 1,
      unit_price: price,
      ...changes,
    });
  }

  /** Takes a photo for a job, and returns its `file_url`. */
  async photo(): Promise<string> {
    const { buffer, mimeType } = pixel("photo.png");
    const body = { purpose: "job_photo", content_type: mimeType, size_bytes: buffer.byteLength };
    const upload = await this.person.post<Schemas["PresignedUpload"]>("/uploads/presign", body);
    await sendFile(upload, buffer);
    await this.person.post(`/uploads/${upload.upload_id}/complete`);
    return upload.file_url;
  }

  complete(jobId: string, outcome: Schemas["Outcome"] = "fixed"): Promise<Schemas["Job"]> {
    return this.person.post(`/jobs/${jobId}/complete`, { outcome });
  }

  /** Does everything from the offer to the completion; `customer` gives the start code. */
  async doJob(customer: Person, jobId: string): Promise<Schemas["Job"]> {
    const job = await this.accept(jobId);
    await this.setOut(jobId);
    await this.arrive(job);
    const { start_code } = await customer.get<Schemas["Job"]>(`/jobs/${jobId}`);
    await this.start(jobId, start_code ?? "");
    return this.complete(jobId);
  }
}
