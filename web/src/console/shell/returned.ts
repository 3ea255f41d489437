// What the company's identity provider says in the address of the page that it sends people back to, and where they go
// from there.

export const HOME = "/console/";

/** What the provider says in the address of the page that it sends people back to. */
export type Returned =
  | { kind: "signed_in"; code: string; state: string; iss: string | null }
  /** `reason` is one of the names of OpenID Connect, or null for anything else. */
  | { kind: "refused"; reason: string | null };

/** Null of an address that no provider has made. */
export function returnedBy(search: string): Returned | null {
  const said = new URLSearchParams(search);
  const [code, state, error] = [said.get("code"), said.get("state"), said.get("error")];
  if (error !== null) return { kind: "refused", reason: /^[a-z_]{1,60}$/.test(error) ? error : null };
  return code && state ? { kind: "signed_in", code, state, iss: said.get("iss") } : null;
}

/** A place of the console to go back to: never one of another site, and no page that is for signing in. */
export function placeOf(address: string | null): string {
  if (address === null || !address.startsWith(HOME)) return HOME;
  const here = "https://localhost";
  const url = URL.canParse(address, here) ? new URL(address, here) : null;
  if (url?.origin !== here || !url.pathname.startsWith(HOME)) return HOME;
  return /^\/console\/(sign-in|invite)\/?$/.test(url.pathname) ? HOME : url.pathname + url.search;
}

/** Why the provider sent somebody back without signing them in. */
export function refusedBecause(reason: string | null): string {
  if (reason === "access_denied") return "You did not sign in, or your company does not let you use this console.";
  if (reason === "temporarily_unavailable" || reason === "server_error")
    return "The identity provider has a problem right now. Try again later.";
  const named = reason === null ? "" : ` (${reason})`;
  return `The identity provider refused the sign-in${named}. Tell whoever runs this service.`;
}
