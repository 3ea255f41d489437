// Everything that an ordinary first visit requests exists: browsers list refusals as errors, and people who look for
// the cause of a fault find them.
import type { Page } from "@playwright/test";
import { newVehicle } from "../support/people";
import { signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";

/** Returns the requests that were refused while pages were shown. */
function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400)
      refused.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return refused;
}

test("nothing is refused to people who are not signed in", async ({ browser, service }) => {
  for (const app of ["", "customer/", "mechanic/", "console/", "partners/"]) {
    const page = await (await browser.newContext({ locale: "en-IN" })).newPage();
    const refused = refusals(page);
    await page.goto(`${service.url}/${app}`);
    await expect(page.locator("h1").first()).toBeAttached();
    await page.waitForLoadState("networkidle");
    expect(refused, app).toEqual([]);
    await page.context().close();
  }
});

test("nothing is refused to a new customer and to somebody who is about to register as a mechanic", async ({
  browser,
  service,
}) => {
  for (const app of ["customer", "mechanic"] as const) {
    const context = await browser.newContext({ locale: "en-IN", baseURL: service.url });
    const person = await signInBrowser(context, service.url, service, app, "Asha");
    if (app === "customer") await newVehicle(person);
    const page = await context.newPage();
    const refused = refusals(page);
    await page.goto(`/${app}/`);
    await expect(
      app === "customer"
        ? page.getByRole("button", { name: /Flat tyre/ })
        : page.getByRole("button", { name: "Begin" }),
    ).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(refused, app).toEqual([]);
    await context.close();
  }
});
