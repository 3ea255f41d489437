// A job that is booked ahead: its customer chooses another time before the search begins.
import { expectAccessible } from "../support/axe";
import { newJob, newVehicle } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

const HERE = { lat: 23.0225, lng: 72.5714 };

/** Returns the `datetime-local` value in the tests' time zone, this many hours from now. */
function hoursFromNow(hours: number): { field: string; utc: string } {
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000 + hours * 3_600_000);
  const india = new Date(at.getTime() + 5.5 * 3_600_000);
  return { field: india.toISOString().slice(0, 16), utc: at.toISOString() };
}

test("the customer of a booked job gives it another time, then none, and the search begins", async ({
  browser,
  service,
}) => {
  const { page, person: customer } = await onPhone(browser, service, { timezoneId: "Asia/Kolkata" });
  const first = hoursFromNow(24);
  const { id } = await newJob(customer, await newVehicle(customer), HERE, { scheduled_for: first.utc });
  const scheduledFor = async () => (await customer.get<{ scheduled_for: string | null }>(`/jobs/${id}`)).scheduled_for;
  await page.goto(`/customer/jobs/${id}`);
  const head = page.getByRole("heading", { name: /^Booked for/ });
  await expect(head).toBeVisible();
  const before = await head.innerText();

  const change = page.getByRole("button", { name: "Change time or details" });
  await change.click();
  const dialog = page.getByRole("dialog");
  const when = dialog.getByLabel("When should the mechanic be there?");
  await expect(when).toHaveValue(first.field);
  await expectAccessible(page);

  // Too far ahead: the field shows the service's refusal, and nothing has changed.
  await when.fill(hoursFromNow(24 * 30).field);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Choose a time within the next week.")).toBeVisible();
  expect(new Date((await scheduledFor()) ?? "").toISOString()).toBe(first.utc);

  const second = hoursFromNow(50);
  await when.fill(second.field);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  expect(new Date((await scheduledFor()) ?? "").toISOString()).toBe(second.utc);
  await expect(head).not.toHaveText(before);

  // Without a time it is an immediate job.
  await change.click();
  await expect(when).toHaveValue(second.field);
  await when.fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  expect(await scheduledFor()).toBeNull();
  await expect(page.getByRole("button", { name: "Correct details" })).toBeVisible();
});
