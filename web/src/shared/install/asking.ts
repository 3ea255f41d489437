// When a page that promises notifications asks for them. Pure.

/** After "not now". */
const AGAIN_AFTER_MS = 3 * 86_400_000;

/** `saidLaterAt` is when the person last said "not now", as it is kept on the device; null if they never did. */
export function asksAgain(saidLaterAt: string | null, now: number): boolean {
  const at = saidLaterAt === null ? NaN : Date.parse(saidLaterAt);
  // What is no time, or lies in the future of a clock that was wrong, counts for nothing.
  return Number.isNaN(at) || at > now || now - at >= AGAIN_AFTER_MS;
}
