// Admins sign in to the console at a company's identity provider.
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { COMPANY_PASSWORD, IdentityProvider } from "../support/identity";
import { Service } from "../support/service";
import { test as base } from "../support/test";

const { expect } = base;

const BOSS = "meera@example.com";
const BUTTON = { name: "Sign in with Example Towing" };

const test = base.extend<object, { provider: IdentityProvider }>({
  provider: [
    async ({ settings: _ }, use) => {
      const provider = await IdentityProvider.start();
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ provider }, use) => {
      // The provider does not answer yet when the service starts.
      const service = await Service.start(provider.settings);
      await service.run(["admin", "create", "--email", BOSS, "--role", "super_admin"], `nobody uses this one\n`);
      provider.open(service.url);
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 150_000 },
  ],
});

/** Fills in the provider's page. */
async function signInAt(page: Page, provider: IdentityProvider, email: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/interaction/**`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(COMPANY_PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("an admin signs in at the provider, comes back to where they were, and signs out of both", async ({
  page,
  context,
  provider,
}) => {
  await page.goto("/console/settings/admins");
  await expect(page.getByRole("button", BUTTON)).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", BUTTON).click();
  await signInAt(page, provider, BOSS);

  await expect(page.getByRole("heading", { name: "Admins", exact: true })).toBeVisible();
  const { pathname, searchParams } = new URL(page.url());
  expect([pathname, searchParams.has("code"), searchParams.has("state")]).toEqual([
    "/console/settings/admins",
    false,
    false,
  ]);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toMatch(/code|state=|eyJ/);
  const names = (await context.cookies()).filter(
    ({ domain, name }) => domain === "127.0.0.1" && /^roadcall/.test(name),
  );
  expect(names.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([["roadcall_session_console", true]]);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Admins", exact: true })).toBeVisible();

  await page.goto("/console/account");
  await expect(page.getByText("You sign in at Example Towing, which asks for second factors.")).toBeVisible();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByText("You are signed out here")).toBeVisible();
  await expectAccessible(page);
  // The provider still knows the person, so none of its pages appears.
  await page.getByRole("button", BUTTON).click();
  await expect(page.getByRole("button", { name: "Sign out", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("link", { name: "Sign out there, too" }).click();
  await page.getByRole("button", { name: /yes/i }).click();
  await page.goto("/console/");
  await page.getByRole("button", BUTTON).click();
  await page.waitForURL(`${provider.issuer}/interaction/**`);
});

test("who may not sign in, or does not want to, reads why and can try again", async ({ page, provider }) => {
  await page.goto("/console/jobs");
  await page.getByRole("button", BUTTON).click();
  await signInAt(page, provider, "stranger@example.com");
  await expect(page.getByText("Only admins can sign in here.")).toBeVisible();
  expect(page.url()).toMatch(/\/console\/sign-in$/);
  await expectAccessible(page);
  await page.context().clearCookies();
  await page.getByRole("button", BUTTON).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You did not sign in, or your company does not let you use this console.")).toBeVisible();

  // The address of another browser's sign-in is useless.
  await page.goto("/console/sign-in?code=stolen&state=stolen");
  await expect(page.getByText("This sign-in was not begun in this browser")).toBeVisible();
  expect(page.url()).toMatch(/\/console\/sign-in$/);
  await page.goto("/console/sign-in");
  await expect(page.getByRole("button", BUTTON)).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/console/");
});

test("an invitation is accepted with the company's account", async ({ page, browser, provider, service }) => {
  await page.goto("/console/settings/admins");
  await page.getByRole("button", BUTTON).click();
  await signInAt(page, provider, BOSS);
  await expect(page.getByRole("heading", { name: "Admins", exact: true })).toBeVisible();
  // As the console does it, with its cookie.
  const refreshed = await page.context().request.post(`${service.url}/api/v1/auth/refresh`, {
    headers: { "X-Session": "cookie/console" },
  });
  const { data } = (await refreshed.json()) as { data: { accessToken: string } };
  const invited = await page.context().request.post(`${service.url}/api/v1/super-admin/invites`, {
    data: { email: "kiran@example.com", role: "admin" },
    headers: { authorization: `Bearer ${data.accessToken}` },
  });
  const { token } = (await invited.json()) as { token: string };

  const context = await browser.newContext({ baseURL: service.url });
  const kiran = await context.newPage();
  await kiran.goto(`/console/invite#token=${token}`);
  await expect(kiran.getByText("To accept, sign in with your account at Example Towing.")).toBeVisible();
  await kiran.getByRole("button", BUTTON).click();
  await signInAt(kiran, provider, "kiran@example.com");
  await expect(kiran.getByRole("navigation").first()).toBeVisible();
  expect(new URL(kiran.url()).pathname).toBe("/console/");
});
