// When a page that promises notifications asks for them. Pure.

/** After "not now". */
const AGAIN_AFTER_MS = 3 * 86_400_000;

/** `saidLaterAt` is when the person last said "not now", as it is kept on the device; null if they never did. */
export function asksAgain(saidLaterAt: string | null, now: number): boolean {
  const at = saidLaterAt === null ? NaN : Date.parse(saidLaterAt);
  // An invalid time, or one that a wrong clock put into the future, is ignored.
  return Number.isNaN(at) || at > now || now - at >= AGAIN_AFTER_MS;
}
