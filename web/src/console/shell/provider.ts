// Signing in at the company's identity provider: this page goes there and comes back to /console/sign-in.
import { answer, api } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { session } from "$shared/api/session.svelte";
import { problem } from "../parts/problem";
import { HOME, placeOf, type Returned } from "./returned";

/** The key under which this tab keeps its state for the return. */
const KEPT = "roadcall-console-sign-in";
/** The key under which this browser keeps the provider's page for signing out. */
const EXIT = "roadcall-console-provider-exit";

interface Kept {
  back: string;
  invitation: string | null;
}

/** Goes to the provider; throws if the service can't give its address. */
export async function goToProvider(invitation: string | null = null): Promise<void> {
  const { data } = await answer(api.POST("/auth/admin-sign-in", { body: {} }));
  const kept: Kept = { back: placeOf(location.pathname + location.search), invitation };
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
  location.assign(data.authorizationUrl);
  // The page is about to change.
  await new Promise(() => {});
}

/** Signs in with the provider's answer; returns the page of the console that the person wanted. */
export async function comeBack(returned: Extract<Returned, { kind: "signed_in" }>): Promise<string> {
  const kept = takeKept();
  const { code, state, iss } = returned;
  const body = {
    code,
    state,
    ...(iss === null ? {} : { iss }),
    ...(kept.invitation === null ? {} : { invitationToken: kept.invitation }),
  };
  const { data } = await answer(api.POST("/auth/admin-sign-in/complete", { body }));
  if (data.signOutUrl === null) localStorage.removeItem(EXIT);
  else localStorage.setItem(EXIT, data.signOutUrl);
  session.accept(data);
  return kept.back;
}

/** Returns the provider's page for signing out, if it has one and somebody signed in there from here. */
export function providerExit(): string | null {
  const kept = localStorage.getItem(EXIT);
  return kept !== null && /^https?:\/\//.test(kept) ? kept : null;
}

function takeKept(): Kept {
  const text = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  try {
    const kept = JSON.parse(text ?? "{}") as Partial<Kept>;
    const invitation = typeof kept.invitation === "string" ? kept.invitation : null;
    return { back: placeOf(typeof kept.back === "string" ? kept.back : null), invitation };
  } catch {
    return { back: HOME, invitation: null };
  }
}

/** Explains why nobody was signed in. */
export function explain(error: unknown): string {
  if (!(error instanceof Refusal)) return problem(error);
  if (error.code === "ACCOUNT_SUSPENDED") return "This account is suspended. Ask a super admin to let you back in.";
  if (error.code === "LINK_EXPIRED")
    return "This invitation is no longer valid. Ask the person who sent it for a new one.";
  if (error.status === 429) return `Too many tries. Try again in ${error.retryAfterS ?? 60} s.`;
  return problem(error);
}
