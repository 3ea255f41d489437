// An identity provider for the tests: oidc-provider, which is certified for OpenID Connect, with our own sign-in
// page.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import { listen, stop } from "./listening";

export const CLIENT_ID = "roadcall-console";
export const CLIENT_SECRET = "what the console's client knows";
const PASSWORD = "a password of the company";

export class IdentityProvider {
  private handler: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  private readonly server = createServer((request, response) => {
    if (this.handler) this.handler(request, response);
    else response.writeHead(503).end();
  });
  issuer = "";

  /** Opens a port that answers 503 until `open`: the service that uses the provider can be started meanwhile. */
  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    provider.issuer = `http://127.0.0.1:${await listen(provider.server)}`;
    return provider;
  }

  /** Returns the settings of a service whose admins sign in here. */
  get settings(): Record<string, string> {
    return {
      ROADCALL__IDENTITY__ISSUER: this.issuer,
      ROADCALL__IDENTITY__PROVIDER_NAME: "Example Towing",
      ROADCALL__IDENTITY__CLIENT_ID: CLIENT_ID,
      ROADCALL__IDENTITY__CLIENT_SECRET: CLIENT_SECRET,
    };
  }

  /** Starts to serve the console at this address. Everybody has an account by email, with the same password. */
  open(consoleUrl: string): void {
    const provider = new Provider(this.issuer, configuration(`${consoleUrl}/console/sign-in`));
    const answer = provider.callback();
    this.handler = (request, response) => {
      if (!request.url?.startsWith("/interaction/")) return void answer(request, response);
      interact(provider, request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    };
  }

  stop(): Promise<void> {
    return stop(this.server);
  }
}

function configuration(redirectUri: string): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    // The ID token contains the email.
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    cookies: { keys: ["a key of a test"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, email) => ({
      accountId: email,
      claims: () => Promise.resolve({ sub: `id-${email}`, email, email_verified: true }),
    }),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    // A company does not ask its people for consent to its own console.
    async loadExistingGrant(context) {
      const { client, session, provider } = context.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 300, IdToken: 300 },
  };
}

/** Serves the page on which people sign in or refuse to. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(`<!doctype html><html lang="en"><title>Example Towing</title><h1>Example Towing</h1>
      <form method="post"><label>Email <input name="email" type="email"></label>
      <label>Password <input name="password" type="password"></label>
      <button name="go" value="in">Continue</button><button name="go" value="back">Cancel</button></form>`);
    return;
  }
  let text = "";
  for await (const piece of request) text += String(piece);
  const form = new URLSearchParams(text);
  const isKnown = form.get("go") === "in" && form.get("password") === PASSWORD;
  const result = isKnown
    ? { login: { accountId: form.get("email") ?? "" } }
    : { error: "access_denied", error_description: "Cancelled" };
  await provider.interactionFinished(request, response, result);
}

export { PASSWORD as COMPANY_PASSWORD };
