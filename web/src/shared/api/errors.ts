import type { components } from "./schema";

export type Code = components["schemas"]["Code"];

/** An error with which the service refused a request. */
export class Refusal extends Error {
  override name = "Refusal";
  constructor(
    readonly status: number,
    readonly code: Code,
    message: string,
    /** The errors of each field, by the field's path. */
    readonly errors: Readonly<Record<string, string[]>> = {},
    /** Seconds until another attempt makes sense. */
    readonly retryAfterS: number | null = null,
    /** The distance at which the service saw the person, if that is the reason. */
    readonly distanceM: number | null = null,
  ) {
    super(message);
  }

  /** Returns the error of a field, or null. */
  field(path: string): string | null {
    return this.errors[path]?.[0] ?? null;
  }
}

/** Returns the first error of each field that an error names. */
export function firstFaults(error: unknown): Record<string, string> {
  const errors = error instanceof Refusal ? error.errors : {};
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, texts[0] ?? ""]));
}

/** An error for a missing answer: the request may or may not have taken effect. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

/**
 * Reports whether a request that failed like this may be repeated with the same key, because it is unknown whether it
 * took effect.
 */
export function isUncertain(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  return error instanceof Refusal && (error.status >= 500 || error.code === "IDEMPOTENCY_IN_FLIGHT");
}

/** Parses an error's envelope; a proxy's answer may contain anything. */
export function refusalOf(status: number, body: unknown, retryAfter: string | null): Refusal {
  type Detail = { code?: Code; message?: string; errors?: Record<string, string[]>; distance_m?: number | null };
  const error = (body as { error?: Detail } | null)?.error;
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new Refusal(
    status,
    error?.code ?? (status >= 500 ? "UNAVAILABLE" : "INTERNAL_ERROR"),
    error?.message ?? `The service answered with ${status}.`,
    error?.errors ?? {},
    Number.isFinite(seconds) ? seconds : null,
    error?.distance_m ?? null,
  );
}
