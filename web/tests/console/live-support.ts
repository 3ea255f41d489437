// Signs a page's browser in to the console, as its sign-in does, without its screens.
import { expect, type Page } from "@playwright/test";
import { ADMIN_PASSWORD, type Person } from "../support/people";
import type { Service } from "../support/service";

/** Opens a page of the console, signed in as `admin`. */
export async function signInConsole(page: Page, service: Service, admin: Person, path = "/"): Promise<void> {
  const origin = { origin: service.url };
  const identity = await page.context().request.post(`${service.url}/idp/token`, { data: { email: admin.phone, password: ADMIN_PASSWORD }, headers: origin });
  const { idToken } = (await identity.json()) as { idToken: string };
  const answer = await page.context().request.post(`${service.url}/api/v1/auth/admin-login`, { data: { idpIdToken: idToken }, headers: { ...origin, "X-Session": "cookie/console" } });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
  await page.goto(`${service.url}/console${path}`);
  await expect(page.getByRole("navigation", { name: "Pages", exact: true })).toBeVisible();
}
