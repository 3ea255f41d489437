// Tests that need both apps and a friend's page at once. The steps of a job are in `customer/flow` and `mechanic/flow`,
// each with the other side on the interface.
import type { Page } from "@playwright/test";
import { goOnline, moveTo, verified } from "./mechanic/support";
import { keepConnections, packets } from "./support/audio";
import { newAdmin, newJob, newVehicle, north } from "./support/people";
import { onPhone } from "./support/signin";
import { expect, test } from "./support/test";

const PICKUP = { lat: 12.9352, lng: 77.6245 };

test("customer, mechanic and a friend see, write to and hear each other, from the offer to the payment", async ({
  browser,
  service,
}) => {
  test.setTimeout(420_000);
  const permissions = ["geolocation", "microphone"];
  const asha = await onPhone(browser, service, { at: PICKUP, permissions });
  const customer = asha.page;
  const ravi = await verified(browser, service, await newAdmin(service), north(PICKUP, 400), { permissions });
  const mechanic = ravi.page;
  for (const { context } of [asha, ravi]) await keepConnections(context);
  await mechanic.reload();
  await goOnline(mechanic);

  // Each step of one side appears on the other's screen.
  const { id } = await newJob(asha.person, await newVehicle(asha.person), PICKUP);
  await customer.goto(`/customer/jobs/${id}`);
  await mechanic.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
  await expect(customer.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await mechanic.getByRole("button", { name: "Set out" }).click();
  await expect(customer.getByRole("heading", { name: "Ravi is on the way" })).toBeVisible();
  await moveTo(ravi.context, north(PICKUP, 300));
  await expect(customer.getByText("300 m away")).toBeVisible();
  await expect(customer.getByText(/Live · seen/)).toBeVisible();

  // All three write; customer and mechanic call, with the chat open.
  const { token } = await asha.person.post<{ token: string }>(`/jobs/${id}/shares`, { may_contact: true });
  const friend = await (await browser.newContext({ locale: "en-IN", baseURL: service.url })).newPage();
  await friend.goto(`/track/${token}`);
  const write = async (page: Page, text: string) => {
    await page.getByRole("textbox", { name: "Write a message" }).fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).click();
  };
  await customer.getByRole("button", { name: "Message", exact: true }).click();
  await write(customer, "Ring the bell twice");
  await mechanic.getByRole("button", { name: /Message.*Unread: 1/ }).click();
  await expect(mechanic.getByRole("log").getByText("Ring the bell twice")).toBeVisible();
  await write(mechanic, "Will do");
  await write(friend, "The gate is blue");
  for (const page of [customer, friend]) await expect(page.getByRole("log").getByText("Will do")).toBeVisible();
  for (const page of [customer, mechanic])
    await expect(page.getByRole("log").getByText("The gate is blue")).toBeVisible();
  await mechanic.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await mechanic.getByRole("button", { name: "Call Asha" }).click();
  await customer
    .getByRole("alertdialog", { name: /Incoming call/ })
    .getByRole("button", { name: "Answer" })
    .click();
  for (const page of [customer, mechanic]) {
    await expect(page.getByRole("timer")).toBeVisible();
    await expect.poll(() => packets(page)).toBeGreaterThan(0);
  }
  await customer.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await customer.getByRole("button", { name: "Hang up" }).click();
  await expect(mechanic.getByText("The call is over.")).toBeVisible();

  await moveTo(ravi.context, north(PICKUP, 100));
  await expect(customer.getByText("100 m away")).toBeVisible();
  await mechanic.getByRole("button", { name: "I have arrived" }).click();
  await expect(customer.getByRole("heading", { name: "Ravi has arrived" })).toBeVisible();

  // The code is passed on orally. The element contains it twice: as shown, and for screen readers.
  const start = (await customer.locator(".digits").innerText()).replace(/\D/g, "").slice(0, 4);
  expect(start).toMatch(/^\d{4}$/);
  await mechanic.getByLabel("Start code").fill(start);
  await mechanic.getByRole("button", { name: "Start the work" }).click();
  await mechanic.getByRole("button", { name: "Finish the work" }).click();
  await mechanic.getByRole("dialog").getByRole("button", { name: "The work is done" }).click();

  // The mechanic sees that the customer has paid online.
  await customer.getByRole("button", { name: /^Pay ₹/ }).click();
  await customer.getByRole("button", { name: "Pay online" }).click();
  await customer.getByRole("button", { name: "The payment works" }).click();
  await expect(customer.getByText("Paid. Thank you.")).toBeVisible();
  await expect(mechanic.getByRole("heading", { name: /paid$/ })).toBeVisible();
});
