// A request for this person's place, by the link that they received.
import type { components } from "$shared/api/schema";
import { stateOf, type AskedState } from "./state";

const LIMIT_MS = 20_000;

type WhereAsked = components["schemas"]["WhereAsked"];
export interface SentPlace {
  lat: number;
  lng: number;
  /** Null for a pin that was set by hand. */
  accuracyM: number | null;
}

export class PlaceRequest {
  state: AskedState = $state("loading");
  askedBy: string | null = $state(null);
  sent: SentPlace | null = $state.raw(null);
  busy = $state(false);
  /** Whether the last attempt to send failed. */
  hasFailed = $state(false);

  constructor(private readonly token: string) {}

  load = async (): Promise<void> => {
    const { status, body } = await ask(`/place-requests/${this.token}`, {});
    this.state = stateOf(status);
    this.askedBy = body?.asked_by ?? null;
  };

  send = async (place: SentPlace): Promise<void> => {
    if (this.busy) return;
    this.busy = true;
    this.hasFailed = false;
    const { lat, lng, accuracyM } = place;
    const exactness = accuracyM === null ? {} : { accuracy_m: Math.min(accuracyM, 100_000) };
    const { status } = await ask(`/place-requests/${this.token}`, {
      method: "POST",
      body: JSON.stringify({ lat, lng, ...exactness }),
    });
    const state = stateOf(status);
    if (state === "asked") this.sent = place;
    else if (state === "offline") this.hasFailed = true;
    else this.state = state;
    this.busy = false;
  };
}

async function ask(address: string, options: RequestInit): Promise<{ status: number | null; body: WhereAsked | null }> {
  try {
    const answer = await fetch(address, {
      ...options,
      headers: { accept: "application/json", ...(options.body ? { "content-type": "application/json" } : {}) },
      cache: "no-store",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const body: unknown = await answer.json().catch(() => null);
    return { status: answer.status, body: answer.ok ? (body as WhereAsked) : null };
  } catch {
    return { status: null, body: null };
  }
}
