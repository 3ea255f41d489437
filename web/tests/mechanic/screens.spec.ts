// Every page as a mechanic sees it: no barriers, nothing wider than the screen.
import type { Page, TestInfo } from "@playwright/test";
import type { components } from "../../src/shared/api/schema";
import { expectToFit } from "../support/fits";
import { keepPicture } from "../support/pictures";
import { newJob, newVehicle, north, signIn, until } from "../support/people";
import { expect, expectWholePageAccessible, open, somewhere, test, verified } from "./support";

test.use({ canWithdrawAtOnce: true });

type Schemas = components["schemas"];

const LOOKS = [
  { name: "phone-light-en", viewport: { width: 360, height: 740 }, colorScheme: "light", locale: "en-IN" },
  { name: "phone-dark-hi", viewport: { width: 412, height: 915 }, colorScheme: "dark", locale: "hi-IN" },
] as const;

async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  await expect(page.locator("h1")).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  await expectToFit(page);
  await expectWholePageAccessible(page);
  await keepPicture(page, info, name, { fullPage: true });
}

for (const { name, ...options } of LOOKS) {
  test(`every page, ${name}`, { tag: "@map" }, async ({ browser, service, admin }, info) => {
    test.setTimeout(600_000);
    const see = (shown: Page, picture: string) => look(shown, info, picture);

    const newcomer = await open(browser, service, somewhere(), options);
    await newcomer.page.goto("/mechanic/");
    await expect(newcomer.page.locator("ol")).toBeVisible();
    await see(newcomer.page, "01-welcome");
    await newcomer.page.goto("/mechanic/register");
    await expect(newcomer.page.locator("fieldset").first()).toBeVisible();
    await see(newcomer.page, "02-register");
    await newcomer.context.close();

    const here = somewhere();
    const { context, page } = await verified(browser, service, admin, here, options);
    await expect(page.locator(".go")).toBeVisible();
    await see(page, "03-offline");
    await page.locator(".go").click();
    await expect(page.locator(".state.on")).toBeVisible();
    await see(page, "04-online");

    const customer = await signIn(service, "Asha");
    const job = await newJob(customer, await newVehicle(customer), north(here, 1500), {
      description: "The rear tyre is flat, and I have no spare one",
      urgency: "highway",
    });
    await expect(page.locator("dialog .accept")).toBeVisible();
    await see(page, "05-offer");
    await page.locator("dialog .decline").click();
    await keepPicture(page, info, "06-decline");
    await page.locator("dialog .answer > button").click();
    await page.locator("dialog .accept").click();
    await expect(page.locator(".place")).toBeVisible();
    await see(page, "07-accepted");
    await page.locator(".next > button").click();
    await until("the job to be en route", async () =>
      (await customer.get<Schemas["Job"]>(`/jobs/${job.id}`)).status === "en_route" ? true : null,
    );
    await page.locator(".next > button").click();
    await expect(page.locator("dialog[open] textarea")).toBeVisible();
    await see(page, "08-too-far");
    await page.locator("dialog[open] textarea").fill("The pin is wrong");
    await page.locator("dialog[open] button.primary").click();
    await expect(page.locator(".start input")).toBeVisible();
    await see(page, "09-arrived");
    const { start_code } = await customer.get<Schemas["Job"]>(`/jobs/${job.id}`);
    await page.locator(".start input").fill(start_code ?? "");
    await page.locator(".start button").click();
    await expect(page.locator(".start")).toHaveCount(0);
    await page.locator(".items > button").click();
    await expect(page.locator("dialog[open] form")).toBeVisible();
    await see(page, "10-item");
    await page.locator("dialog[open] input:not([type=radio])").first().fill("Inner tube, 17 inches");
    await page.locator("dialog[open] input[inputmode=decimal]").fill("250.50");
    await page.locator("dialog[open] button[type=submit]").click();
    await expect(page.locator(".items li")).toBeVisible();
    await see(page, "11-work");
    const { data: items } = await customer.get<{ data: Schemas["LineItem"][] }>(`/jobs/${job.id}/line-items`);
    await customer.post(`/jobs/${job.id}/line-items/${items[0]?.id}/approve`, { version: items[0]?.version });
    await expect(page.locator(".items li.approved")).toBeVisible();
    await page.locator(".page > .stack > button.primary").click();
    await expect(page.locator("dialog[open] fieldset")).toBeVisible();
    await see(page, "12-complete");
    await page.locator("dialog[open] button[type=submit]").click();
    await expect(page.locator(".payment")).toBeVisible();
    await see(page, "13-payment");
    const { data: made } = await customer.get<{ data: Schemas["Payment"][] }>(`/payments?job_id=${job.id}`);
    expect(made).toEqual([]);
    await page.locator(".payment button").click();
    await page.locator("dialog[open] button.primary").click();
    await expect(page.locator("dialog[open]")).toHaveCount(0);
    const { data: cash } = await customer.get<{ data: Schemas["Payment"][] }>(`/payments?job_id=${job.id}`);
    await customer.post(`/payments/${cash[0]?.id}/cash-confirm`, { amount: cash[0]?.amount });
    await expect(page.locator(".payment.paid")).toBeVisible();
    await page.locator(".stars label").nth(3).click();
    await see(page, "14-paid");

    const pages: [string, string][] = [
      ["15-jobs", "/jobs"],
      ["16-past-job", `/jobs/${job.id}`],
      ["17-wallet", "/wallet"],
      ["18-withdraw", "/wallet/withdraw"],
      ["19-upi", "/wallet/upi"],
      ["20-statement", "/wallet/statement"],
      ["21-settlements", "/wallet/settlements"],
      ["22-disputes", "/wallet/disputes"],
      ["23-you", "/you"],
      ["24-work-profile", "/you/work"],
      ["25-documents", "/you/documents"],
      ["26-ratings", "/you/ratings"],
      ["27-figures", "/you/figures"],
      ["28-notifications", "/you/notifications"],
      ["29-account", "/you/account"],
    ];
    for (const [picture, path] of pages) {
      await page.goto(`/mechanic${path}`);
      await expect(page.locator(".loading")).toHaveCount(0);
      await see(page, picture);
    }
    await context.close();
  });
}
