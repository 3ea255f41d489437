/** Requests to a server, typed by its OpenAPI document. */
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";

/** The schemas of the document by their names. */
export type Schemas = components["schemas"];

export type Server = Client<paths>;

/** An answer that is not a success. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The invalid fields with their faults. */
  readonly errors: Record<string, string[]>;
  readonly retryAfterS: number | undefined;

  constructor(response: Response, body: unknown) {
    const error = (body as { error?: Partial<Schemas["ErrorDetail"]> } | undefined)?.error ?? {};
    super(`${new URL(response.url).pathname}: ${response.status} ${error.code ?? ""} ${error.message ?? ""}`);
    this.name = "Refusal";
    this.status = response.status;
    this.code = error.code;
    this.errors = (error.errors ?? {}) as Record<string, string[]>;
    const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
    this.retryAfterS = Number.isNaN(retryAfter) ? undefined : retryAfter;
  }
}

/**
 * Returns a client that sends the credential with each request: a partner's key or a person's access token. `organisation` is the id of
 * the organisation for which an agency acts.
 */
export function connect(baseUrl: string, credential?: string, organisation?: string): Server {
  const headers: Record<string, string> = {};
  if (credential) headers["authorization"] = `Bearer ${credential}`;
  if (organisation) headers["roadcall-organisation"] = organisation;
  return createClient<paths>({ baseUrl, headers });
}

/** Returns the data of an answer; throws a `Refusal`. */
export async function dataOf<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new Refusal(response, error);
  return data as T;
}
