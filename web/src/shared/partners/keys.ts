// The states of partners' keys. Pure.
import type { PartnerKey } from "./types";

export type KeyState = "active" | "ending" | "expired" | "revoked";

type Known = Pick<PartnerKey, "revoked_at" | "replaced_by" | "expires_at">;

/** Returns the state of a key. One that is being replaced works until it expires. */
export function keyState({ revoked_at, replaced_by, expires_at }: Known, nowMs: number): KeyState {
  if (revoked_at !== null) return "revoked";
  if (Date.parse(expires_at) <= nowMs) return "expired";
  return replaced_by === null ? "active" : "ending";
}
