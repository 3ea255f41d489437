import assert from "node:assert/strict";
import { test } from "node:test";
import { Receiver } from "@roadcall/client/receiver";
import { InvalidWebhook, sign, verify } from "@roadcall/client/webhooks";

// The example of the documentation of Standard Webhooks.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const [id, at, body] = ["msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'] as const;
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const other = `whsec_${"A".repeat(32)}`;
const third = `whsec_${"B".repeat(32)}`;

/** Returns the headers of a delivery that was sent `lateS` seconds ago, signed by each of the secrets. */
function headers(secrets: string[], lateS = 0): Record<string, string> {
  const sentAt = Math.floor(Date.now() / 1000) - lateS;
  const signatures = secrets.map((key) => sign(key, id, sentAt, body)).join(" ");
  return { "Webhook-Id": id, "Webhook-Timestamp": String(sentAt), "Webhook-Signature": signatures };
}

test("a signature is the one that the standard shows", () => {
  assert.equal(sign(secret, id, at, body), signature);
});

test("a delivery that one of the secrets signed is read", () => {
  for (const secrets of [secret, [other, secret]]) {
    assert.deepEqual(verify(secrets, new Headers(headers([third, secret])), body), { test: 2432232314 });
  }
});

test("a delivery that was changed or is old is refused", () => {
  const sent = headers([secret]);
  const cases: [string | string[], Record<string, string>, string][] = [
    [secret, sent, `${body} `],
    [other, sent, body],
    [[], sent, body],
    [secret, { ...sent, "Webhook-Signature": "v1,AAAA v2 v1,!" }, body],
    [secret, { ...sent, "Webhook-Id": "msg_other" }, body],
    [secret, { ...sent, "Webhook-Timestamp": "soon" }, body],
    [secret, headers([secret], 400), body],
    [secret, headers([secret], -400), body],
    [secret, {}, body],
  ];
  for (const [key, given, text] of cases) assert.throws(() => verify(key, given, text), InvalidWebhook);
});

test("a receiver answers a challenge, gives a delivery once, and refuses those of others", async (t) => {
  const receiver = await Receiver.open();
  t.after(() => receiver.close());
  receiver.secret = secret;
  const deliver = async (messageId: string, event: object, key = secret) => {
    const [now, text] = [Math.floor(Date.now() / 1000), JSON.stringify(event)];
    const signed = sign(key, messageId, now, text);
    const sent = { "webhook-id": messageId, "webhook-timestamp": String(now), "webhook-signature": signed };
    return fetch(receiver.url, { method: "POST", headers: sent, body: text });
  };
  const challenged = await deliver("1", { type: "webhook.verify", data: { challenge: "open sesame" } });
  assert.deepEqual(await challenged.json(), { challenge: "open sesame" });
  for (const [messageId, type] of [["2", "case.created"], ["2", "case.created"], ["3", "job.created"]] as const) {
    await deliver(messageId, { type });
  }
  const events = receiver.events();
  assert.deepEqual([(await events.next()).value?.type, (await events.next()).value?.type], ["case.created", "job.created"]);
  assert.equal((await deliver("4", { type: "case.created" }, other)).status, 400);
});
