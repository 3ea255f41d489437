// The page behind a shared link, on a service whose operator has set an emergency number.
import { expectAccessible } from "../support/axe";
import { Mechanic, newAdmin, newJob, newVehicle, north, signIn } from "../support/people";
import { PHONE } from "../support/signin";
import { expect, test } from "../support/test";

test.use({ settings: { ROADCALL__SUPPORT__EMERGENCY_PHONE: "108" } });

test("a link to a job after an accident or on a highway shows whom to call before anything else", async ({
  browser,
  service,
}) => {
  const context = await browser.newContext({ viewport: PHONE, locale: "en-IN", baseURL: service.url });
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
});

test("what the customer writes is theirs on the shared page, not the mechanic's", async ({ browser, service }) => {
  const here = { lat: 23.0225, lng: 72.5714 };
  const ravi = await Mechanic.register(service, await newAdmin(service), "Ravi Kumar", north(here, 900));
  await ravi.goOnline();
  const customer = await signIn(service, "Asha Rao");
  const job = await newJob(customer, await newVehicle(customer), here);
  await ravi.accept(job.id);
  await customer.write(job.id, "The start code is with me");
  const { token } = await customer.post<{ token: string }>(`/jobs/${job.id}/shares`, { may_contact: true });
  const context = await browser.newContext({ viewport: PHONE, locale: "en-IN", baseURL: service.url });
  const page = await context.newPage();
  await page.goto(`/track/${token}`);
  const message = page.locator(".message", { hasText: "The start code is with me" });
  await expect(message).toBeVisible();
  await expect(message.locator(".author")).toHaveText(/Asha|Customer/);
  await expect(message).not.toContainText("Ravi");
});
