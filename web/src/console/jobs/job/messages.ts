// The loaded messages of a job's chat, from the newest back.
import type { Schemas } from "$shared/api/client";

type Message = Pick<Schemas["Message"], "seq">;

/** Returns the newest messages with those loaded before, unless some between them may be missing. */
export function withNewest<M extends Message>(known: M[], newest: M[]): M[] {
  const first = newest[0]?.seq ?? 0;
  const earlier = known.filter(({ seq }) => seq < first);
  return earlier.length < known.length ? [...earlier, ...newest] : newest;
}

/** Returns the known messages with a page of older ones. */
export function withOlder<M extends Message>(known: M[], older: M[]): M[] {
  const first = known[0]?.seq ?? Infinity;
  return [...older.filter(({ seq }) => seq < first), ...known];
}
