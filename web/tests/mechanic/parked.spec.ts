// A mechanic waits at a workshop with the phone in their pocket: a push brings the offer.
import { expectAccessible } from "../support/axe";
import { newJob, newVehicle, north, signIn } from "../support/people";
import { notificationsOf, PushService, workerOf, type Pushed } from "../support/pushes";
import { expect, somewhere, test, verified } from "./support";

test(
  "who is at their workshop is asked by a notification, sees the offer and takes it",
  { tag: "@push" },
  async ({ browser, service, admin }) => {
    const here = somewhere();
    const pushes = await PushService.start();
    const { context, page } = await verified(browser, service, admin, here);
    await pushes.take(context, service.url);
    await page.reload();

    await page.getByRole("button", { name: "I'm at my workshop or at home" }).click();
    const sheet = page.getByRole("dialog", { name: "Wait with the phone in your pocket" });
    await expect(sheet).toContainText("Only notifications reach a phone in a pocket.");
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Turn on" }).click();
    await sheet.getByLabel(/What you call this place/).fill("My workshop");
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Wait here" }).click();
    await expect(sheet).toBeHidden();
    await expect(page.getByText("You are waiting here: My workshop")).toBeVisible();
    await expect(page.getByText("You are online", { exact: true })).toBeVisible();
    await expect(page.getByText("Keep this page open", { exact: false })).toHaveCount(0);
    await expectAccessible(page);

    // The phone goes into the pocket: no page of the app is open any longer.
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
    expect(Date.parse(pushed.ends_at ?? "")).toBeGreaterThan(Date.now());
    await deliver(pushed);
    const offer = pushed.data["offer_id"] ?? "";
    const shown = { tag: `job_offer-${offer}`, requireInteraction: true };
    await expect.poll(() => notificationsOf(page, "/mechanic/")).toContainEqual(shown);

    const seen = page.waitForResponse((response) => response.url().endsWith(`/offers/${offer}/seen`));
    await page.goto("/mechanic/");
    expect((await seen).status()).toBe(204);
    await expect.poll(() => notificationsOf(page, "/mechanic/")).toEqual([]);
    await page.getByRole("button", { name: "Accept", exact: false }).click();
    await expect(page).toHaveURL(/\/mechanic\/job$/);
    await pushes.stop();
  },
);

test("waiting lasts over a reload and ends with a press", { tag: "@push" }, async ({ browser, service, admin }) => {
  const here = somewhere();
  const pushes = await PushService.start();
  const { context, page, person } = await verified(browser, service, admin, here);
  await pushes.take(context, service.url);
  await page.reload();
  await page.getByRole("button", { name: "I'm at my workshop or at home" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "Wait here" }).click();
  await expect(page.getByText("You are waiting at your place")).toBeVisible();
  await page.reload();
  await expect(page.getByText("You are waiting at your place")).toBeVisible();
  await page.getByRole("button", { name: "End waiting" }).click();
  await expect(page.getByText("You are waiting at your place")).toBeHidden();
  expect(await person.get("/mechanics/me/parked")).toEqual({ parked: null });
  await pushes.stop();
});
