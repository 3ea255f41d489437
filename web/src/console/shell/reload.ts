// Whether a page may reload itself.

const KEY = "roadcall-console-reloaded";
/** What a reload did not mend so recently, another one does not mend either. */
const APART_MS = 60_000;

/** Remembers the reload if it is allowed. Without a memory there is none: it could be one after the other. */
export function mayReload(memory: Pick<Storage, "getItem" | "setItem">, now: number): boolean {
  try {
    const last = Number(memory.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    if (now - last < APART_MS) return false;
    memory.setItem(KEY, String(now));
    return true;
  } catch {
    return false;
  }
}
