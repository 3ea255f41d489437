// A person asks about their data in their account, an admin answers in the console, and the person reads the answer.
import { signInConsole } from "../console/live-support";
import { expectAccessible } from "../support/axe";
import { newAdmin } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

test.use({
  settings: {
    ROADCALL__PRIVACY__CONTACT_NAME: "Data protection desk",
    ROADCALL__PRIVACY__CONTACT_EMAIL: "privacy@example.com",
  },
});

test("a question about data has a day, an answer and somebody to ask further", async ({ browser, service }) => {
  const admin = await newAdmin(service);
  const { page } = await onPhone(browser, service, { timezoneId: "Asia/Kolkata" });
  await page.goto("/customer/account");
  await expect(
    page.getByRole("link", { name: "Ask about your data: Data protection desk, privacy@example.com" }),
  ).toHaveAttribute("href", "mailto:privacy@example.com");
  await page.getByRole("button", { name: "Write to us" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Write what it is about.")).toBeVisible();
  await page.getByLabel("What is it about?").selectOption("Something to be deleted");
  await page.getByLabel("Your words").fill("The photo of my scooter, please");
  await expectAccessible(page);
  // Unsent text survives a reload.
  await page.reload();
  await page.getByRole("button", { name: "Write to us" }).click();
  await expect(page.getByLabel("Your words")).toHaveValue("The photo of my scooter, please");
  await page.getByRole("button", { name: "Send" }).click();
  const card = page.locator("section").filter({ hasText: "Ask or complain about your data" });
  await expect(card.getByRole("listitem")).toContainText("We answer by");
  await expect(card.getByRole("listitem")).toContainText("The photo of my scooter, please");

  const desk = await browser.newContext({ locale: "en-IN", baseURL: service.url });
  const inConsole = await desk.newPage();
  await signInConsole(inConsole, service, admin, "/grievances");
  await inConsole.getByRole("row", { name: /Asha/ }).dblclick();
  await expect(inConsole.getByText("The photo of my scooter, please")).toBeVisible();
  await inConsole.getByRole("button", { name: "Answer" }).click();
  await inConsole.getByRole("textbox", { name: "Answer" }).fill("It is deleted.");
  await inConsole.getByRole("button", { name: "Send the answer" }).click();
  await expect(inConsole.getByText("It is deleted.")).toBeVisible();
  await expect(inConsole.getByText("Answered", { exact: true }).first()).toBeVisible();
  await desk.close();

  await page.goto("/customer/notifications");
  await page.getByRole("button", { name: /An answer about your data/ }).click();
  await expect(page).toHaveURL(/\/customer\/account$/);
  await expect(card.getByRole("listitem")).toContainText("It is deleted.");
  await expect(card.getByRole("link", { name: /privacy@example\.com/ })).toBeVisible();
  await expectAccessible(page);
});
