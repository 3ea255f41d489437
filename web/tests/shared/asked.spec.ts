// Pages that promise notifications ask to allow them, and people respond with the buttons of the notifications.
import { expectAccessible } from "../support/axe";
import { newJob, newVehicle, north, signIn } from "../support/people";
import { notificationsOf, PushService, workerOf, type Pushed } from "../support/pushes";
import { PHONE, signInBrowser } from "../support/signin";
import { expect, goOnline, somewhere, test, verified } from "../mechanic/support";

test(
  "a mechanic who goes online is asked once, and takes an offer by the button of its notification",
  { tag: "@push" },
  async ({ browser, service, admin }) => {
    const here = somewhere();
    const pushes = await PushService.start();
    const { context, page } = await verified(browser, service, admin, here);
    await pushes.take(context, service.url);
    await page.reload();
    const asking = page.locator("section.push");
    await expect(page.getByRole("button", { name: "Go online" })).toBeVisible();
    await expect(asking).toHaveCount(0);
    await goOnline(page);
    await expect(asking).toContainText("Offers reach you even when this page is in the background.");
    await expectAccessible(page);
    await asking.getByRole("button", { name: "Not now" }).click();
    await expect(asking).toHaveCount(0);
    await page.reload();
    await expect(page.getByText("You are online", { exact: true })).toBeVisible();
    await expect(asking).toHaveCount(0);
    await page.evaluate(() => localStorage.removeItem("roadcall-push-later-/mechanic/"));
    await page.reload();
    // The first press on a page reaches its button, even though it also closes the hint that sounds are off.
    await expect(page.getByText("The map can't be drawn on this device.", { exact: false })).toBeVisible();
    const registered = page.waitForResponse((response) => response.url().endsWith("/notifications/push-tokens"));
    await asking.getByRole("button", { name: "Turn on" }).click();
    expect((await registered).status()).toBe(201);
    await expect(asking).toHaveCount(0);

    // The phone goes into the pocket, and its owner presses a button of the notification.
    await page.goto("/");
    const deliver = await workerOf(context, page, service.url, "/mechanic/");
    const arrived = new Promise<Pushed>((resolve) => {
      pushes.onPush = (pushed) => {
        if (pushed.type === "job_offer") resolve(pushed);
      };
    });
    const customer = await signIn(service, "Asha");
    await newJob(customer, await newVehicle(customer), north(here, 800));
    const pushed = await arrived;
    expect(pushed.title).toMatch(/^Flat tyre: ₹\d/);
    expect(pushed.body).toMatch(/^0\.\d km away\. /);
    expect(pushed.actions.map(({ action }) => action)).toEqual(["accept", "decline"]);
    await deliver(pushed);
    await expect.poll(() => notificationsOf(page, "/mechanic/")).toHaveLength(1);
    const { id, type, data } = pushed;
    const tapped = JSON.stringify({ id, type, data, action: "accept" });
    await page.goto(`/mechanic/?notification=${encodeURIComponent(tapped)}`);
    await expect(page).toHaveURL(/\/mechanic\/job$/);
    await page.goto(`/mechanic/?notification=${encodeURIComponent(tapped)}`);
    await expect(page.getByText("The offer is no longer open.", { exact: false })).toBeVisible();
    await pushes.stop();
  },
);

test(
  "a customer whose search begins is asked, and no more once notifications are on",
  { tag: "@push" },
  async ({ browser, service }) => {
    const here = somewhere();
    const pushes = await PushService.start();
    const context = await browser.newContext({ viewport: PHONE, locale: "en-IN", baseURL: service.url });
    const person = await signInBrowser(context, service.url, service, "customer", "Asha");
    await pushes.take(context, service.url);
    const page = await context.newPage();
    const job = await newJob(person, await newVehicle(person), here);
    await page.goto(`/customer/jobs/${job.id}`);
    const asking = page.locator("section.push");
    await expect(asking).toContainText("Know at once who comes and when");
    await expectAccessible(page);
    const registered = page.waitForResponse((response) => response.url().endsWith("/notifications/push-tokens"));
    await asking.getByRole("button", { name: "Turn on" }).click();
    expect((await registered).status()).toBe(201);
    await expect(asking).toHaveCount(0);
    await pushes.stop();
  },
);
