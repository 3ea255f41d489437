// Decides when a page that promises notifications asks to allow them. Pure.

/** The pause after "not now". */
const AGAIN_AFTER_MS = 3 * 86_400_000;

/** Reports whether to ask. `saidLaterAt`: the stored time of the last "not now"; null if there was none. */
export function asksAgain(saidLaterAt: string | null, now: number): boolean {
  const at = saidLaterAt === null ? NaN : Date.parse(saidLaterAt);
  // A time that is invalid, or in the future because of a wrong clock, is ignored.
  return Number.isNaN(at) || at > now || now - at >= AGAIN_AFTER_MS;
}
