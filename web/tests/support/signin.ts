// Signs a page's browser in like the sign-in, but without its screens.
import type { BrowserContext } from "@playwright/test";
import { newPhone, oneTimePassword, Person, signIn } from "./people";
import type { Service } from "./service";

/** Signs the same person in twice: in the browser by the cookie of `app`, and over HTTP for the tests' own requests. */
export async function signInBrowser(
  context: BrowserContext,
  base: string,
  service: Service,
  app: "customer" | "mechanic",
  name: string,
  phone = newPhone(),
): Promise<Person> {
  const person = await signIn(service, name, phone);
  const otp = await oneTimePassword(service, phone);
  const answer = await context.request.post(`${base}/api/v1/auth/verify-otp`, {
    data: { phone, otp },
    headers: { "X-Session": process.env["ROADCALL_SESSION"] ?? `cookie/${app}`, origin: base },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
  return person;
}
