import { readFileSync } from "node:fs";
import { acceptedJob, accessible, begin, enter, expect, newPhone, test, watch } from "./support";

test("an account: name and email, other devices, the own data, and its end", async ({
  page,
  context,
  pages,
  service,
}) => {
  const said = watch(context);
  await page.setViewportSize({ width: 360, height: 740 });
  await begin(page, pages, service, "account");
  await page.getByLabel("Name").fill("Asha Rao");
  await page.getByLabel("Email").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.getByLabel("Email").fill("asha@example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();

  // The person was signed in once over HTTP, and once here.
  await expect(page.getByText("This device")).toBeVisible();
  await page.getByRole("button", { name: /^Sign out there:/ }).click();
  await expect(page.getByRole("button", { name: /^Sign out there:/ })).toHaveCount(0);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  const exported = JSON.parse(readFileSync(await (await download).path(), "utf8")) as { user: { email: string } };
  expect(exported.user.email).toBe("asha@example.com");
  await accessible(page);

  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete account" });
  await accessible(page);
  await expect(dialog.getByRole("button", { name: "Delete for good" })).toBeDisabled();
  await dialog.getByLabel("To confirm, type delete").fill("Delete");
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByLabel("Mobile number")).toBeVisible();
  expect(said).toEqual([]);
});

test("what stops the end of an account is explained", async ({ page, context, pages, service }) => {
  const { customer } = await acceptedJob(service);
  await enter(context, pages, service, customer.phone);
  await page.goto("/#account");
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByLabel("To confirm, type delete").fill("delete");
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByRole("alert")).toContainText("Your account can't be deleted yet: You have an open job.");
});

test("notifications arrive by themselves, lead somewhere, and can be read all at once", async ({
  page,
  context,
  pages,
  service,
}) => {
  const said = watch(context);
  const { customer, mechanic, job } = await acceptedJob(service);
  await enter(context, pages, service, customer.phone);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/#notifications");
  await expect(page.getByText("1 in the badge")).toBeVisible();
  await mechanic.setOut(job.id);
  await expect(page.getByText("2 in the badge")).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(2);
  await page.getByRole("main").getByRole("listitem").first().getByRole("button").click();
  await expect(page.getByText(`job_en_route of ${job.id}`)).toBeVisible();
  await expect(page.getByText("1 in the badge")).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("No connection. What you see may be out of date.")).toBeVisible();
  await mechanic.person.write(job.id, "Near");
  await context.setOffline(false);
  await expect(page.getByText("2 in the badge")).toBeVisible();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByText("0 in the badge")).toBeVisible();

  const payments = page.getByRole("switch", { name: "Payments and refunds" });
  const stored = page.waitForResponse(
    (response) => response.request().method() === "PATCH" && response.url().endsWith("/preferences"),
  );
  await payments.uncheck();
  await stored;
  await accessible(page);
  await page.reload();
  await expect(payments).not.toBeChecked();
  expect(said).toEqual([]);
});

test("a number is changed with the codes of both", async ({ page, context, pages, service }) => {
  const said = watch(context);
  await page.setViewportSize({ width: 360, height: 740 });
  await begin(page, pages, service, "account");
  const wanted = newPhone();
  await page.getByRole("button", { name: "Change number" }).click();
  const dialog = page.getByRole("dialog", { name: "Change number" });
  await dialog.getByLabel("New mobile number").fill("12");
  await dialog.getByRole("button", { name: "Send both codes" }).click();
  await expect(dialog.getByText("Enter another mobile number")).toBeVisible();
  await dialog.getByLabel("New mobile number").fill(wanted);
  await dialog.getByRole("button", { name: "Send both codes" }).click();
  const shown = dialog.getByText(/Development: the code is \d{6}/);
  await expect(shown).toHaveCount(2);
  const [present, fresh] = (await shown.allTextContents()).map((text) => /\d{6}/.exec(text)?.[0] ?? "");
  const fields = dialog.getByLabel(/^Code sent to/);
  await fields.nth(0).fill(present ?? "");
  await fields.nth(1).fill(fresh === "000000" ? "111111" : "000000");
  await dialog.getByRole("button", { name: "Change number" }).click();
  await expect(dialog.getByText("This code is wrong or has expired.")).toHaveCount(1);
  await accessible(page);
  await fields.nth(1).fill(fresh ?? "");
  await dialog.getByRole("button", { name: "Change number" }).click();
  await expect(page.getByText("Your number was changed.")).toBeVisible();
  await expect(page.getByText(wanted.slice(-5))).toBeVisible();
  expect(said).toEqual([]);
});
