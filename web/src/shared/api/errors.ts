import type { components } from "./schema";

export type Code = components["schemas"]["Code"];

/** The service refused a request. */
export class Refusal extends Error {
  override name = "Refusal";
  constructor(
    readonly status: number,
    readonly code: Code,
    message: string,
    /** What is wrong with which field, by the field's path. */
    readonly errors: Readonly<Record<string, string[]>> = {},
    /** Seconds until another try makes sense. */
    readonly retryAfterS: number | null = null,
    /** How far away the service saw the person, where that is why. */
    readonly distanceM: number | null = null,
  ) {
    super(message);
  }

  /** What is wrong with a field, or null. */
  field(path: string): string | null {
    return this.errors[path]?.[0] ?? null;
  }
}

/** No answer came: the request may or may not have had its effect. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

/**
 * Whether a request that ended like this may be repeated with the same key, because nobody knows whether it took
 * effect.
 */
export function isUncertain(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  return error instanceof Refusal && (error.status >= 500 || error.code === "IDEMPOTENCY_IN_FLIGHT");
}

/** Reads the envelope of an error; a proxy's answer may be anything. */
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
