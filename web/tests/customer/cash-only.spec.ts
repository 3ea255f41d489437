// A garage that takes only cash: its service has no payment gateway.
import { expectAccessible } from "../support/axe";
import { Mechanic, newAdmin, newJob, newVehicle } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

const HERE = { lat: 22.5726, lng: 88.3639 };

test.use({ settings: { ROADCALL__GATEWAY__PROVIDER: "none", ROADCALL__PAYOUTS__PROVIDER: "none" } });

test("the customer is asked for cash alone, and both sides confirm it", async ({ browser, service }) => {
  const mechanic = await Mechanic.register(service, await newAdmin(service), "Ravi", HERE);
  await mechanic.goOnline();
  const { page, person: customer } = await onPhone(browser, service);
  const job = await newJob(customer, await newVehicle(customer), HERE);
  await mechanic.doJob(customer, job.id);

  await page.goto(`/customer/jobs/${job.id}`);
  await page.getByRole("button", { name: "Pay ₹299" }).click();
  const cash = page.getByRole("button", { name: "Pay the mechanic in cash" });
  const others = page.getByRole("button", { name: /Pay online|Pay another way/ });
  await expect(cash).toBeVisible();
  await expect(others).toHaveCount(0);
  await expectAccessible(page);
  await cash.click();
  await page.getByRole("button", { name: "I gave ₹299" }).click();
  await expect(page.getByText("Now the mechanic confirms")).toBeVisible();
  await expect(others).toHaveCount(0);
  const { data } = await mechanic.person.get<{ data: { id: string; amount: number }[] }>(`/payments?job_id=${job.id}`);
  await mechanic.person.post(`/payments/${data[0]?.id}/cash-confirm`, { amount: data[0]?.amount });
  await expect(page.getByText("Paid in cash. Thank you.")).toBeVisible();
});
