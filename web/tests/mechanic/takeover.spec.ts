// An offer that appears while somebody does something else: it ignores presses that were meant for that, and covers
// nothing that would be lost.
import { newJob, newVehicle, north } from "../support/people";
import { expectAccessible } from "../support/axe";
import { expect, test } from "./support";

test("an offer takes no press of its first moment, by finger or by key", async ({
  onDuty: { page, here, customer },
}) => {
  const answers: string[] = [];
  page.on("request", (request) => {
    if (/\/offers\/.*\/(accept|decline)$/.test(request.url())) answers.push(request.url());
  });
  // Presses Accept as soon as it appears, and notes what has the focus then.
  await page.evaluate(() => {
    const early = { clicks: 0, focused: "" };
    Object.assign(window, { early });
    new MutationObserver((_, observer) => {
      const accept = document.querySelector<HTMLElement>("dialog .accept");
      if (!accept) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        early.focused = document.activeElement?.tagName ?? "";
        accept.click();
        early.clicks += 1;
      });
    }).observe(document.body, { childList: true, subtree: true });
  });
  await newJob(customer, await newVehicle(customer), north(here, 800));
  const early = () => page.evaluate(() => (window as unknown as { early: { clicks: number; focused: string } }).early);
  await expect.poll(early).toEqual({ clicks: 1, focused: "H2" });
  await expect(page.getByRole("button", { name: "Accept" })).toBeVisible();
  // The second tap of a double tap hits whatever has appeared under the finger.
  await page.getByRole("button", { name: "Decline" }).dblclick();
  await expect(page.getByText("Why not this one?")).toBeVisible();
  await page.getByRole("button", { name: "Back to the offer" }).dblclick();
  await expect(page.getByRole("button", { name: "Accept" })).toBeVisible();
  expect(answers).toEqual([]);
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByRole("button", { name: "Set out" })).toBeVisible();
  expect(answers).toHaveLength(1);
});

test("an offer waits in a banner beside a step of money and unsaved text, and its time stays in sight", async ({
  onDuty: { page, here, customer },
}) => {
  const vehicle = await newVehicle(customer);
  const banner = page.getByRole("region", { name: "New offer" });
  const offer = page.getByRole("dialog", { name: "Flat tyre" });

  // A form about money, even before anything is typed.
  await page.getByRole("link", { name: "Wallet" }).click();
  await page.goto("/mechanic/wallet/upi");
  await page.getByRole("button", { name: "Add a UPI account" }).click();
  const form = page.getByRole("dialog", { name: "Add a UPI account" });
  await form.getByLabel("UPI address").focus();
  const first = await newJob(customer, vehicle, north(here, 800));
  await expect(banner).toBeVisible();
  await expect(banner.getByRole("timer")).toHaveText(/\d+ seconds left/);
  await expect(offer).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.type("ravi@bank");
  await expect(form.getByLabel("UPI address")).toHaveValue("ravi@bank");
  await banner.getByRole("button", { name: "See the offer" }).click();
  await offer.getByRole("button", { name: "Decline" }).click();
  await offer.getByRole("button", { name: "Too far" }).click();
  await expect(offer).toBeHidden();
  await expect(form.getByLabel("UPI address")).toHaveValue("ravi@bank");
  await customer.post(`/jobs/${first.id}/cancel`, { reason_code: "changed_mind" });

  // The field has typed text; the offer appears by itself once it is empty.
  await page.goto("/mechanic/you/account");
  const name = page.getByLabel(/name/i).first();
  await name.fill("Ravi K");
  await newJob(customer, vehicle, north(here, 800));
  await expect(banner).toBeVisible();
  await expect(offer).toBeHidden();
  await name.fill("");
  await expect(offer.getByRole("button", { name: "Accept" })).toBeVisible();
  await expect(banner).toHaveCount(0);
});
