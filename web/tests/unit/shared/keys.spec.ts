import type { Middleware } from "openapi-fetch";
import { expect, onTestFinished, test } from "vitest";
import { carriedOutOnce, REFUSING } from "../../../src/shared/api/keys";
import { documents, writeDocuments } from "../../support/documents";

type Asked = Parameters<NonNullable<Middleware["onRequest"]>>[0];
type Answered = Parameters<NonNullable<Middleware["onResponse"]>>[0];

interface Sent {
  path: string;
  body?: string;
  method?: string;
  key?: string;
}

/** Creates a client whose requests get these answers; it returns the key that each was sent with. */
function client() {
  const state = { person: "asha", now: 0 };
  const { onRequest, onResponse } = carriedOutOnce(
    (path) => path.startsWith("/auth/"),
    () => state.person,
    () => state.now,
  );
  if (!onRequest || !onResponse) throw new Error("it looks at requests and at answers");
  const send = async ({ path, body = "{}", method = "POST", key }: Sent, answer: Response | null) => {
    const headers: HeadersInit = key === undefined ? {} : { "Idempotency-Key": key };
    const content = method === "GET" ? {} : { body };
    const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...content });
    await onRequest({ request, schemaPath: path } as Asked);
    if (answer) await onResponse({ request, response: answer } as Answered);
    expect(await request.text(), "the body can still be sent").toBe(method === "GET" ? "" : body);
    return request.headers.get("idempotency-key");
  };
  return { state, send };
}

const made = () => new Response("{}", { status: 201 });
const refused = (status: number, code: string) => new Response(JSON.stringify({ error: { code } }), { status });
const vehicle: Sent = { path: "/vehicles", body: '{"make":"Maruti"}' };

test("what is sent again while nobody knows what became of it has the same key", async () => {
  const { send } = client();
  const first = await send(vehicle, null);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(await send(vehicle, refused(503, "OUTCOME_UNKNOWN"))).toBe(first);
  expect(await send(vehicle, refused(409, "IDEMPOTENCY_IN_FLIGHT"))).toBe(first);
  expect(await send(vehicle, made())).toBe(first);
  expect(await send(vehicle, made())).not.toBe(first);
});

test("a refusal ends a request, and what is sent next is another", async () => {
  for (const refusal of [refused(422, "VALIDATION_FAILED"), refused(409, "CONFLICT"), refused(429, "RATE_LIMITED")]) {
    const { send } = client();
    const first = await send(vehicle, refusal);
    expect(await send(vehicle, made())).not.toBe(first);
  }
});

test("another body, path or person has another key, and so has the same after a while", async () => {
  const { state, send } = client();
  const first = await send(vehicle, null);
  expect(await send({ ...vehicle, body: '{"make":"Tata"}' }, null)).not.toBe(first);
  expect(await send({ ...vehicle, path: "/admin/workshops" }, null)).not.toBe(first);
  state.person = "ravi";
  expect(await send(vehicle, null)).not.toBe(first);
  state.person = "asha";
  state.now = 5 * 60_000;
  expect(await send(vehicle, null)).not.toBe(first);
});

test("no more keys are kept than a person can have in mind", async () => {
  const { send } = client();
  const first = await send(vehicle, null);
  for (let other = 0; other < 20; other += 1) await send({ path: `/vehicles/${other}` }, null);
  expect(await send(vehicle, null)).not.toBe(first);
});

test("a key of a form's own stays, and what reads, signs in or refuses keys has none", async () => {
  const { send } = client();
  expect(await send({ ...vehicle, key: "of-the-form" }, made())).toBe("of-the-form");
  expect(await send({ path: "/vehicles", method: "GET" }, made())).toBeNull();
  expect(await send({ path: "/auth/send-otp" }, made())).toBeNull();
  expect(await send({ path: "/uploads/presign" }, made())).toBeNull();
});

test("the POSTs that refuse a key are those of the program", { timeout: 120_000 }, () => {
  onTestFinished(writeDocuments());
  const refusing = Object.entries(documents().openapi.paths).flatMap(([path, { post }]) => {
    const isPublic = post?.security?.length === 0;
    const isRefusing = post?.responses?.["422"]?.description?.includes("also for an Idempotency-Key") ?? false;
    return isRefusing && !isPublic && post?.deprecated !== true ? [path] : [];
  });
  expect(refusing.sort()).toEqual([...REFUSING].sort());
});
