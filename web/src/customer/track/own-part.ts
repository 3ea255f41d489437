// The part of an organisation's job that a link's holder decides and pays. Pure.
import type { SharedJob } from "./shared";

export type OwnPart = NonNullable<SharedJob["own_part"]>;

/** Reports whether there is anything to show: an item to decide, or an amount to pay. */
export const hasOwnPart = (job: Pick<SharedJob, "own_part">): boolean =>
  job.own_part !== null && (job.own_part.line_items.length > 0 || job.own_part.amount > 0);

/** Returns what the holder can do about the amount now. */
export function cashStep(part: Pick<OwnPart, "is_due" | "is_confirmed">): "wait" | "confirm" | "confirmed" {
  if (!part.is_due) return "wait";
  return part.is_confirmed ? "confirmed" : "confirm";
}

/** Reports whether the work is done: the link then only serves to pay and to rate. */
export const isDone = ({ status }: Pick<SharedJob, "status">): boolean =>
  ["completed", "paid", "disputed", "resolved"].includes(status);
