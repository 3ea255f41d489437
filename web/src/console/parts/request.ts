// Requests to routes that the generated types do not have yet.
import { NoAnswer, refusalOf } from "$shared/api/errors";
import { API, session } from "$shared/api/session.svelte";

export interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The body of the answer, or its `Refusal`. */
export async function request<T>(method: "GET" | "POST", path: string, { body, headers = {}, signal }: Asked = {}): Promise<T> {
  const token = await session.token();
  let response: Response;
  try {
    response = await fetch(`${API}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NoAnswer("The service can't be reached.");
  }
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw refusalOf(response.status, answer, response.headers.get("retry-after"));
}
