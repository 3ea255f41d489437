import { NoAnswer, Refusal } from "$shared/api/errors";

/** Shown when an action on the displayed object is no longer possible. */
export const OVERTAKEN = "This changed while you were looking. The page is up to date now.";

/** Describes an error for the person at the desk. */
export function problem(error: unknown): string {
  if (error instanceof NoAnswer) return "The service can't be reached. Check the connection and try again.";
  if (error instanceof Refusal) {
    const fields = Object.entries(error.errors).map(([name, texts]) => `${name}: ${texts.join(", ")}`);
    return fields.length > 0 ? `${error.message} (${fields.join("; ")})` : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
