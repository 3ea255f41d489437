// The page behind a shared link, on a service whose operator has an emergency number of their own.
import { expectAccessible } from "../support/axe";
import { newJob, newVehicle, signIn } from "../support/people";
import { expect, test } from "../support/test";

test.use({ settings: { ROADCALL__SUPPORT__EMERGENCY_PHONE: "108" } });

test("a link to a job after an accident or on a highway shows whom to call before anything else", async ({
  browser,
  service,
}) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    locale: "en-IN",
    baseURL: service.url,
  });
  for (const [urgency, words] of [
    ["accident", "Don't move anybody who is hurt"],
    ["highway", "Wait behind the crash barrier"],
    ["normal", null],
  ] as const) {
    const customer = await signIn(service, "Asha");
    const job = await newJob(customer, await newVehicle(customer), { lat: 12.9716, lng: 77.5946 }, { urgency });
    const { token } = await customer.post<{ token: string }>(`/jobs/${job.id}/shares`);
    const page = await context.newPage();
    await page.goto(`/track/${token}`);
    await expect(page.getByText("Hero Splendor")).toBeVisible();
    const call = page.getByRole("link", { name: /^Call/ });
    if (words === null) {
      await expect(call).toHaveCount(0);
    } else {
      await expect(call).toHaveAttribute("href", "tel:108");
      await expect(page.getByText(words, { exact: false })).toBeVisible();
      expect(await page.locator(".panel > :not(.visually-hidden)").nth(2).locator("a").getAttribute("href")).toBe(
        "tel:108",
      );
      await expectAccessible(page);
    }
    await page.close();
  }
  await context.close();
});
