// Without a payout provider: an admin approves the account, pays the withdrawal, and records that.
import type { Schemas } from "../support/examples";
import { paidJob } from "../console/desk-fill";
import { signInConsole } from "../console/live-support";
import { expectAccessible } from "../support/axe";
import { Mechanic, newAdmin, until } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";
import { WITHDRAWS_AT_ONCE } from "./support";

const HERE = { lat: 17.385, lng: 78.4867 };

test.use({ settings: { ROADCALL__PAYOUTS__PROVIDER: "none", ...WITHDRAWS_AT_ONCE } });

test("a withdrawal is paid by an admin, and the mechanic reads its reference", async ({ browser, service }) => {
  const admin = await newAdmin(service);
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", HERE);
  await mechanic.goOnline();
  await paidJob(service, mechanic, "Asha", "online", {}, HERE);
  const { page } = await onPhone(browser, service, { app: "mechanic", who: mechanic.person });
  const account = await mechanic.person.post<Schemas["UpiAccount"]>("/wallet/upi", {
    vpa: "ravi.kumar@okbank",
    holder_name: "Ravi Kumar",
  });
  await page.goto("/mechanic/wallet/upi");
  await expect(page.getByText("We look at this account ourselves")).toBeVisible();
  await expectAccessible(page);

  const desk = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signInConsole(desk, service, admin, "/upi");
  await expect(desk.getByRole("row", { name: /Ravi Kumar/ })).toBeVisible();
  const dialog = desk.getByRole("dialog");
  await desk.locator('main button[aria-keyshortcuts="a"]').first().click();
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await until("the account can be withdrawn to, and there is money", async () => {
    const { data } = await mechanic.person.get<{ data: Schemas["UpiAccount"][] }>("/wallet/upi");
    const { withdrawable } = await mechanic.person.get<Schemas["Wallet"]>("/wallet");
    const isApproved = data.some(({ id, verification_status }) => {
      return id === account.id && verification_status === "manually_approved";
    });
    return isApproved && withdrawable > 0;
  });

  await page.goto("/mechanic/wallet");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(page.getByText("We tell you when it is paid.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: /^Withdraw ₹/ }).click();
  await expect(page.getByText("Requested", { exact: true })).toBeVisible();

  await desk.goto(`${service.url}/console/withdrawals`);
  await expect(desk.getByRole("row", { name: /Ravi Kumar/ })).toContainText("Requested");
  await desk.locator('main button[aria-keyshortcuts="p"]').first().click();
  await dialog.getByLabel("Reference").fill("UPI 603412345678");
  await dialog.getByRole("button", { name: "Mark paid", exact: true }).click();
  await expect(dialog).toBeHidden();

  // A notification makes the page reload it.
  await expect(page.getByText("Paid", { exact: true })).toBeVisible();
  await expect(page.getByText("Bank reference UPI 603412345678")).toBeVisible();
});
