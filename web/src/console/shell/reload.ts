// The decision whether a page may reload itself.

const KEY = "roadcall-console-reloaded";
/** If a recent reload did not help, another one won't help either. */
const APART_MS = 60_000;

/** Remembers the reload if it is allowed. Without memory none is: reloads could follow each other for ever. */
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
