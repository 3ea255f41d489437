// Actions on several rows of a list at once: one form, and one request for each row, one after the other.
import { Refusal } from "$shared/api/errors";
import { problem } from "../../parts/problem";
import type { Action, Form } from "./action";

export interface Outcome {
  done: number;
  failed: { name: string; why: string }[];
  /** The number of rows that were no longer tried. */
  left: number;
}

type Sent = Promise<{ data?: unknown; error?: unknown; response: Response }>;
/** Carries out one request, even if it has to be sent repeatedly. */
export type CarryOut = (request: (headers: { "Idempotency-Key": string }) => Sent) => Promise<unknown>;

/** The number of failures that are named. */
const NAMED = 3;

/** Returns the form of an action for several rows, or null if it works on one row only. `nameOf` names a failed row. */
export function formOfMany<R>(
  { name, form, many }: Action<R>,
  nameOf: (row: R) => string,
  carryOut: CarryOut,
): Form<R[]> | null {
  if (!form || !many) return null;
  return {
    title: (rows) => many(rows).title,
    says: (rows) => many(rows).says,
    ...(form.fields ? { fields: form.fields } : {}),
    confirm: form.confirm,
    ...(form.isDanger ? { isDanger: true } : {}),
    send: async (rows, values) => {
      const outcome: Outcome = { done: 0, failed: [], left: 0 };
      for (const [index, row] of rows.entries()) {
        try {
          await carryOut((headers) => form.send(row, values, headers));
          outcome.done += 1;
        } catch (error) {
          // The form is wrong in the same way for every row.
          if (index === 0 && error instanceof Refusal && error.status === 422) throw error;
          outcome.failed.push({ name: nameOf(row), why: problem(error) });
          outcome.left = rows.length - index - 1;
          if (isForAll(error)) break;
          outcome.left = 0;
        }
      }
      return { data: outcome, response: new Response() };
    },
    hasFailed: (answer) => (answer as Outcome).failed.length > 0,
    done: (_, answer) => told(name, answer as Outcome),
  };
}

/** Returns whether the next row would fail for the same reason. */
function isForAll(error: unknown): boolean {
  return !(error instanceof Refusal) || [401, 403, 429, 503].includes(error.status);
}

/** Returns the outcome in words. */
export function told(name: string, { done, failed, left }: Outcome): string {
  const all = done + failed.length + left;
  const reasons = failed.slice(0, NAMED).map((one) => `${one.name}: ${one.why}`);
  const others = failed.length - reasons.length;
  return [
    `${name}: ${done === all ? done : `${done} of ${all}`} done.`,
    ...reasons,
    ...(others > 0 ? [`${others} more failed.`] : []),
    ...(left > 0 ? [`${left} ${left === 1 ? "was" : "were"} not tried.`] : []),
  ].join(" ");
}
