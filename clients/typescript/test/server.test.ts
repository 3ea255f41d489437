// Plain requests and the socket, against the server at ROADCALL_URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, dataOf, Refusal } from "@roadcall/client";
import { FrameRefused, Socket } from "@roadcall/client/socket";
import { customer, here, vehicleOf } from "./people.js";

const url = process.env["ROADCALL_URL"]!;

test("a refusal has its code and its fields", async () => {
  const { as } = await customer();
  const wrong = { vehicle_type: "two_wheeler", make: "", model: "", registration_number: "" } as const;
  const why: unknown = await dataOf(as.POST("/vehicles", { body: wrong })).catch((error: unknown) => error);
  assert.ok(why instanceof Refusal);
  assert.deepEqual([why.status, why.code, "make" in why.errors], [422, "VALIDATION_FAILED", true]);
});

test("a key that is none is refused", async () => {
  await assert.rejects(dataOf(connect(url, "rck_test_nothing").GET("/partner")), { status: 401 });
});

test("a socket follows a job until it is cancelled", async (t) => {
  const { as, token } = await customer();
  const categories = await dataOf(as.GET("/service-categories", { params: { query: { vehicle_type: "two_wheeler" } } }));
  const body = {
    vehicle_id: (await vehicleOf(as)).id,
    service_category_id: categories.data[0]!.id,
    pickup_address: "Far from everybody",
    pickup_lat: here.lat - 5,
    pickup_lng: here.lng + 15,
  };
  const job = await dataOf(as.POST("/jobs", { body }));
  const socket = await Socket.open(url, token);
  t.after(() => socket.close());
  assert.ok((await socket.subscribe(job.id)) >= 1);
  await dataOf(as.POST("/jobs/{id}/cancel", { params: { path: { id: job.id } }, body: { reason_code: "changed_mind" } }));
  for await (const { type, job_id, data } of socket.frames()) {
    if (type !== "job.updated" || (data as { status: string }).status !== "cancelled") continue;
    assert.equal(job_id, job.id);
    break;
  }
});

test("a refused frame is an error with its code", async (t) => {
  const socket = await Socket.open(url, (await customer()).token);
  t.after(() => socket.close());
  const why: unknown = await socket.subscribe(crypto.randomUUID()).catch((error: unknown) => error);
  assert.ok(why instanceof FrameRefused && why.code === "NOT_FOUND", String(why));
});
