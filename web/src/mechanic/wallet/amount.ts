// Parses amounts that people type into whole paise. Pure.

/** The maximum that the service accepts. */
const MOST_PAISE = 1_000_000_000;

/** Returns the whole paise of typed text such as "1,250.50", or null if it is no amount with at most two decimals. */
export function amountOf(text: string): number | null {
  const plain = text.trim().replace(/^₹\s*/, "").replaceAll(",", "");
  const found = /^(\d{1,9})(?:\.(\d{0,2}))?$/.exec(plain);
  if (found === null) return null;
  const paise = Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
  return paise > MOST_PAISE ? null : paise;
}

/** Returns an amount as text that `amountOf` parses back. */
export function textOf(paise: number): string {
  return paise % 100 === 0 ? String(paise / 100) : (paise / 100).toFixed(2);
}
