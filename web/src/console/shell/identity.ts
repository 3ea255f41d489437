// Signing in with the embedded identity provider.
import { answer, api, type Schemas } from "$shared/api/client";
import { session } from "$shared/api/session.svelte";

const KEY = "roadcall-console-device";

/** Says that somebody signed in with this email on this device before; it signs nobody in. */
function knownDevice(email: string): string | undefined {
  const kept = localStorage.getItem(KEY);
  if (!kept) return undefined;
  const [owner, ...token] = kept.split(" ");
  return owner === email.toLowerCase() ? token.join(" ") : undefined;
}

export interface Credentials {
  email: string;
  password: string;
  code?: string;
}

async function identify({ email, password, code }: Credentials): Promise<string> {
  const deviceToken = knownDevice(email);
  const proof: Schemas["IdToken"] = await answer(
    api.POST("/idp/token", { body: { email, password, ...(code ? { code } : {}), ...(deviceToken ? { deviceToken } : {}) } }),
  );
  localStorage.setItem(KEY, `${email.toLowerCase()} ${proof.deviceToken}`);
  return proof.idToken;
}

export async function signIn(credentials: Credentials): Promise<void> {
  const idpIdToken = await identify(credentials);
  const { data } = await answer(api.POST("/auth/admin-login", { body: { idpIdToken } }));
  session.accept(data);
}

/** Makes the account that an invitation is for; returns its email. */
export async function makeAccount(token: string, password: string): Promise<string> {
  return (await answer(api.POST("/idp/accounts", { body: { token, password } }))).email;
}

export async function acceptInvite(token: string, credentials: Credentials): Promise<void> {
  const idpIdToken = await identify(credentials);
  const { data } = await answer(api.POST("/auth/accept-invite", { body: { token, idpIdToken } }));
  session.accept(data);
}
