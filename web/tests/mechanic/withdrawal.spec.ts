// Money that leaves the wallet.
import type { Schemas } from "../support/examples";
import { paidJob } from "../console/desk-fill";
import { Mechanic, until } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, nothingTwice, somewhere, test, WITHDRAWS_AT_ONCE } from "./support";

test.use({ settings: WITHDRAWS_AT_ONCE });

test("a withdrawal whose answer is lost is made once, and the page finds out", async ({ browser, service, admin }) => {
  const here = somewhere();
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", here);
  await mechanic.goOnline();
  await paidJob(service, mechanic, "Asha", "online", {}, here);
  await mechanic.person.post("/wallet/upi", { vpa: "ravi.kumar@okbank", holder_name: "Ravi Kumar" });
  await until("money, and an account to send it to", async () => {
    const { withdrawable } = await mechanic.person.get<Schemas["Wallet"]>("/wallet");
    const { data: accounts } = await mechanic.person.get<{ data: Schemas["UpiAccount"][] }>("/wallet/upi");
    return withdrawable > 0 && accounts[0]?.verification_status === "verified";
  });
  const { page } = await onPhone(browser, service, { app: "mechanic", who: mechanic.person });
  await page.goto("/mechanic/wallet");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  // Requests arrive, but their answers don't.
  let isCut = true;
  await page.route("**/wallet/withdrawals", async (route) => {
    if (route.request().method() !== "POST" || !isCut) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole("button", { name: /^Withdraw ₹/ }).click();
  await nothingTwice(page);
  // A person who leaves the page and returns finds it in progress, and can't start a second one.
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(/\/wallet$/);
  await page.evaluate(() => history.forward());
  await nothingTwice(page);
  await expect(page.getByRole("button", { name: /^Withdraw ₹/ })).toHaveAttribute("aria-busy", "true");
  isCut = false;
  await expect(page.getByText(/is on its way to you/)).toBeVisible();
  await expect(page).toHaveURL(/\/wallet$/);
  expect((await mechanic.person.get<{ data: unknown[] }>("/wallet/withdrawals")).data).toHaveLength(1);
});
