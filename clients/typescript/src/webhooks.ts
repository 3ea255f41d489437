/** The signatures of webhooks, as Standard Webhooks describes them. */

/** An event, as a delivery has it. */
export interface WebhookEvent<Data = Record<string, any>> {
  type: string;
  timestamp: string;
  data: Data;
}

/** The headers of a request, as `fetch` or as Node has them. */
export type SentHeaders = Headers | Record<string, string | string[] | undefined>;

const TOLERANCE_S = 300;

/** A delivery that the service did not sign, or that is too old. */
export class InvalidWebhook extends Error {
  override readonly name = "InvalidWebhook";
}

/** Returns the event of a delivery; throws an `InvalidWebhook`. `body` has to be the text as it came. */
export async function verify<Data = Record<string, any>>(
  secrets: string | string[],
  headers: SentHeaders,
  body: string,
  now = Date.now() / 1000,
): Promise<WebhookEvent<Data>> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
  if (!id || !timestamp || !signatures) throw new InvalidWebhook("a header is missing");
  if (!(Math.abs(now - Number(timestamp)) <= TOLERANCE_S)) {
    throw new InvalidWebhook("the delivery is too old, or its sender's clock is wrong");
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const given = signatures.split(" ").filter((signature) => signature.startsWith("v1,"));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, "verify");
    for (const signature of given) {
      const bytes = fromBase64(signature.slice(3));
      if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return JSON.parse(body) as WebhookEvent<Data>;
    }
  }
  throw new InvalidWebhook("no signature fits");
}

/** Returns the signature of a delivery, as the header `webhook-signature` has it. */
export async function sign(secret: string, id: string, timestamp: number, body: string): Promise<string> {
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const digest = await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), signed);
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

function header(headers: SentHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}

async function keyOf(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes) throw new TypeError("the secret is not whsec_ with base64");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
