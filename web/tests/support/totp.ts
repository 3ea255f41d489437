// An authenticator app: codes of six digits by the clock (RFC 6238).
import { createHmac } from "node:crypto";
import type { components } from "../../src/shared/api/schema";
import { ADMIN_PASSWORD, type Person } from "./people";
import type { Service } from "./service";

const STEP_MS = 30_000;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the code that is this many steps after the current one. */
export function codeOf(secret: string, steps = 0): string {
  const bits = [...secret.replaceAll(" ", "")]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const hash = createHmac("sha1", key).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** Sets up a second factor for an admin; returns its secret. */
export async function secondFactor(service: Service, { phone: email }: Person): Promise<string> {
  const ask = async (path: string, more = {}) => {
    const response = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: ADMIN_PASSWORD, ...more }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  const { secret } = JSON.parse(await ask("/idp/second-factor")) as components["schemas"]["NewSecondFactor"];
  await ask("/idp/second-factor/confirm", { code: codeOf(secret) });
  return secret;
}
