// A job that was still unpaid when its dispute was decided: the customer pays the decided price, from any of its
// pages.
import { Mechanic, newAdmin, newJob, newVehicle, north } from "../support/people";
import { expectAccessible } from "../support/axe";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

const HERE = { lat: 23.2599, lng: 77.4126 };

test("what a decision left of the price is shown and paid", async ({ browser, service }) => {
  const admin = await newAdmin(service);
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", north(HERE, 400));
  await mechanic.goOnline();
  const { page, person: customer } = await onPhone(browser, service);
  const job = await newJob(customer, await newVehicle(customer), HERE);
  const done = await mechanic.doJob(customer, job.id);
  await customer.post(`/jobs/${job.id}/dispute`, {
    reason_code: "overcharged",
    description: "The tube was not changed.",
  });
  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByRole("button", { name: "Show the dispute" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);

  // The open page follows the decision.
  await admin.post(`/admin/jobs/${job.id}/resolve`, {
    outcome: "split",
    price_reduction: 100,
    note: "Half of it is right.",
  });
  const left = `₹${(done.final_price ?? 0) - 100}`;
  const pay = page.getByRole("button", { name: `Pay ${left}` });
  await expect(pay).toBeVisible();
  const bill = page.getByRole("region", { name: "Price" });
  await expect(bill.getByText("Taken off after the dispute")).toBeVisible();
  await expect(bill.getByText("-₹100")).toBeVisible();
  await expect(bill.getByRole("definition").last()).toHaveText(left);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Show the dispute" }).click();
  await expect(page.getByText(`Decided: you pay ${left} instead of ₹${done.final_price}.`)).toBeVisible();
  await pay.click();
  await expect(page.getByText("There is nothing to pay", { exact: false })).toHaveCount(0);
  await page.getByRole("button", { name: "Pay the mechanic in cash" }).click();
  await page.getByRole("button", { name: `I gave ${left}` }).click();
  await expect(page.getByText("Now the mechanic confirms")).toBeVisible();
  const { data } = await mechanic.person.get<{ data: { id: string; amount: number }[] }>(`/payments?job_id=${job.id}`);
  await mechanic.person.post(`/payments/${data[0]?.id}/cash-confirm`, { amount: data[0]?.amount });
  await expect(page.getByText("Paid in cash. Thank you.")).toBeVisible();

  await page.getByRole("link", { name: "Back to the job" }).click();
  await expect(page.getByRole("button", { name: "Show the dispute" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);
  await page.goto("/customer/history");
  await expect(page.getByRole("link", { name: new RegExp(`${left}\\b`) })).toBeVisible();
  await page.goto(`/customer/jobs/${job.id}`);
  await mechanic.goOffline();
});
