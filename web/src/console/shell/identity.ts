// Signing in with the embedded identity provider.
import { answer, api, type Schemas } from "$shared/api/client";
import { session } from "$shared/api/session.svelte";

const KEY = "roadcall-console-device";

/** Returns the proof that somebody signed in with this email on this device before; it signs nobody in. */
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

/** Returns the device's token, if it has signed in with this email before, for requests with its password. */
function deviceOf(email: string): { deviceToken?: string } {
  const deviceToken = knownDevice(email);
  return deviceToken ? { deviceToken } : {};
}

async function identify({ email, password, code }: Credentials): Promise<string> {
  const proof: Schemas["IdToken"] = await answer(
    api.POST("/idp/token", { body: { email, password, ...(code ? { code } : {}), ...deviceOf(email) } }),
  );
  localStorage.setItem(KEY, `${email.toLowerCase()} ${proof.deviceToken}`);
  return proof.idToken;
}

export async function signIn(credentials: Credentials): Promise<void> {
  const idpIdToken = await identify(credentials);
  const { data } = await answer(api.POST("/auth/admin-login", { body: { idpIdToken } }));
  session.accept(data);
}

/** Starts the set-up of a second factor: returns the key for the authenticator app. */
export async function beginFactor(email: string, password: string): Promise<Schemas["NewSecondFactor"]> {
  return answer(api.POST("/idp/second-factor", { body: { email, password, ...deviceOf(email) } }));
}

/** Confirms the second factor with a code of the app. */
export async function confirmFactor(email: string, password: string, code: string): Promise<void> {
  await answer(api.POST("/idp/second-factor/confirm", { body: { email, password, code, ...deviceOf(email) } }));
}

/** Creates the account of an invitation; returns its email. */
export async function makeAccount(token: string, password: string): Promise<string> {
  return (await answer(api.POST("/idp/accounts", { body: { token, password } }))).email;
}

export async function acceptInvite(token: string, credentials: Credentials): Promise<void> {
  const idpIdToken = await identify(credentials);
  const { data } = await answer(api.POST("/auth/accept-invite", { body: { token, idpIdToken } }));
  session.accept(data);
}
