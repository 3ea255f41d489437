// The demo city of a service in development.
import { NoAnswer, refusalOf } from "$shared/api/errors";
import { API, type AppName } from "$shared/api/session.svelte";

export interface DemoState {
  is_playing: boolean;
  started_at: string | null;
  title: string;
  time_scale: number;
  /** Why it ended by itself. */
  failure: string | null;
}

const LIMIT_MS = 30_000;
/** People are made at their first sign-in. */
const SIGN_IN_LIMIT_MS = 60_000;

export const demoState = (): Promise<DemoState> => ask("GET", "/demo");
export const play = (): Promise<DemoState> => ask("POST", "/demo/play");
export const stop = (): Promise<DemoState> => ask("POST", "/demo/stop");

const people = { console: "admin", customer: "customer", mechanic: "mechanic" } as const;

/** Opens an app, signed in there as one of the demo's people. */
export async function enter(app: AppName): Promise<void> {
  await ask("POST", "/demo/sign-in", { body: { as: people[app] }, headers: { "X-Session": `cookie/${app}` }, limit: SIGN_IN_LIMIT_MS });
  location.assign(`/${app}/`);
}

interface Options {
  body?: object;
  headers?: Record<string, string>;
  limit?: number;
}

async function ask<T>(method: string, path: string, { body, headers = {}, limit = LIMIT_MS }: Options = {}): Promise<T> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(API + path, {
      method,
      headers: { ...(body && { "content-type": "application/json" }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limit),
    });
    answer = await response.json();
  } catch {
    throw new NoAnswer("The service can't be reached.");
  }
  if (!response.ok) throw refusalOf(response.status, answer, response.headers.get("retry-after"));
  return answer as T;
}
