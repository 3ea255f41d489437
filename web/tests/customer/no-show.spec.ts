// A mechanic reports that nobody was there: the customer contests it, and an admin decides.
import { signInConsole } from "../console/live-support";
import { expectAccessible } from "../support/axe";
import { Mechanic, newAdmin, newJob, newVehicle } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

const HERE = { lat: 26.9124, lng: 75.7873 };
const WORDS = "I was beside the scooter all the time";

test.use({ settings: { ROADCALL__JOBS__NO_SHOW_AFTER_S: "0" } });

test("the fee of a proven no-show is contested, and dropped by an admin", async ({ browser, service }) => {
  const admin = await newAdmin(service);
  const mechanic = await Mechanic.register(service, admin, "Ravi", HERE);
  await mechanic.goOnline();
  const { page, person: customer } = await onPhone(browser, service, { timezoneId: "Asia/Kolkata" });
  const job = await newJob(customer, await newVehicle(customer), HERE);
  const accepted = await mechanic.accept(job.id);
  await mechanic.setOut(job.id);
  await mechanic.arrive(accepted);
  await mechanic.person.post(`/jobs/${job.id}/no-show`);

  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByText("so you owe ₹150 for their trip")).toBeVisible();
  await expect(page.getByText("The cancellation fee is ₹150.")).toBeVisible();
  await expect(page.getByText(/If that is wrong, tell us by \d/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("What happened?").fill(WORDS);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("and you contest it")).toBeVisible();
  // Nothing is owed meanwhile.
  await expect(page.getByText("The cancellation fee is ₹150.")).toHaveCount(0);
  expect(await customer.get("/payments/unpaid-fees")).toMatchObject({ data: [] });

  const desk = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signInConsole(desk, service, admin, "/no-shows");
  const row = desk.getByRole("row", { name: /Asha/ });
  await expect(row).toContainText(WORDS);
  await expect(desk.getByRole("complementary", { name: "Selected row" })).toContainText("Can be contested until");
  await desk.locator('main button[aria-keyshortcuts="x"]').first().click();
  const dialog = desk.getByRole("dialog");
  await dialog.getByLabel("Why").fill("The customer was there.");
  await dialog.getByRole("button", { name: "Drop it", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toBeHidden();

  await page.reload();
  await expect(page.getByText("You owe nothing.", { exact: false })).toBeVisible();
  await expect(page.getByText("The customer was there.")).toBeVisible();
  await expect(page.getByLabel("What happened?")).toHaveCount(0);
});
