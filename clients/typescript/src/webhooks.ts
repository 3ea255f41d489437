/** The signatures of webhooks, which the library of Standard Webhooks verifies. */
import { Webhook } from "standardwebhooks";

/** An event, as a delivery has it. */
export interface WebhookEvent<Data = Record<string, any>> {
  type: string;
  timestamp: string;
  data: Data;
}

/** The headers of a request, as `fetch` or as Node has them. */
export type SentHeaders = Headers | Record<string, string | string[] | undefined>;

/** A delivery that the service did not sign, or that is too old. */
export class InvalidWebhook extends Error {
  override readonly name = "InvalidWebhook";
}

/** Returns the event of a delivery; throws an `InvalidWebhook`. `body` has to be the text as it came. */
export function verify<Data = Record<string, any>>(
  secrets: string | string[],
  headers: SentHeaders,
  body: string,
): WebhookEvent<Data> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const sent = Object.fromEntries(entries.map(([name, value]) => [name, [value].flat()[0] ?? ""]));
  let cause: unknown;
  for (const secret of [secrets].flat()) {
    try {
      return new Webhook(secret).verify(body, sent) as WebhookEvent<Data>;
    } catch (error) {
      cause = error;
    }
  }
  throw new InvalidWebhook(cause instanceof Error ? cause.message : "there is no secret", { cause });
}

/** Returns the signature of a delivery, as the header `webhook-signature` has it. */
export function sign(secret: string, id: string, timestamp: number, body: string): string {
  return new Webhook(secret).sign(id, new Date(timestamp * 1000), body);
}
