export type AskedState = "loading" | "asked" | "ended" | "invalid" | "offline";

/** Returns the meaning of an answer's status. */
export function stateOf(status: number | null): AskedState {
  if (status === null || status === 429 || status >= 500) return "offline";
  if (status === 410) return "ended";
  return status < 300 ? "asked" : "invalid";
}
