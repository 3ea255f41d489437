// The answer of the company's identity provider in the address to which it returns people, and the page that
// follows.

export const HOME = "/console/";

/** The provider's answer in the address to which it returns people. */
export type Returned =
  | { kind: "signed_in"; code: string; state: string; iss: string | null }
  /** `reason` is one of the names of OpenID Connect, or null for anything else. */
  | { kind: "refused"; reason: string | null };

/** Reads the answer; null if no provider made the address. */
export function returnedBy(search: string): Returned | null {
  const said = new URLSearchParams(search);
  const [code, state, error] = [said.get("code"), said.get("state"), said.get("error")];
  if (error !== null) return { kind: "refused", reason: /^[a-z_]{1,60}$/.test(error) ? error : null };
  return code && state ? { kind: "signed_in", code, state, iss: said.get("iss") } : null;
}

/** Returns a page of the console to return to: never one of another site, and no page for signing in. */
export function placeOf(address: string | null): string {
  if (address === null || !address.startsWith(HOME)) return HOME;
  const here = "https://localhost";
  const url = URL.canParse(address, here) ? new URL(address, here) : null;
  if (url?.origin !== here || !url.pathname.startsWith(HOME)) return HOME;
  return /^\/console\/(sign-in|invite)\/?$/.test(url.pathname) ? HOME : url.pathname + url.search;
}

/** Explains why the provider returned somebody without signing them in. */
export function refusedBecause(reason: string | null): string {
  if (reason === "access_denied") return "You did not sign in, or your company does not let you use this console.";
  if (reason === "temporarily_unavailable" || reason === "server_error")
    return "The identity provider has a problem right now. Try again later.";
  const named = reason === null ? "" : ` (${reason})`;
  return `The identity provider refused the sign-in${named}. Tell whoever runs this service.`;
}
