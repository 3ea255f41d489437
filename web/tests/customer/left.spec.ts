// A mechanic leaves: the page says why, the chat stays open, and the next mechanic's chat is a separate one.
import { Mechanic, newAdmin, newJob, newVehicle, north } from "../support/people";
import { expectAccessible } from "../support/axe";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

const HERE = { lat: 21.1458, lng: 79.0882 };

test("the page says what happened, and each mechanic's chat is apart", async ({ browser, service }) => {
  const admin = await newAdmin(service);
  const ravi = await Mechanic.register(service, admin, "Ravi Kumar", north(HERE, 1_000));
  await ravi.goOnline();
  const { page, person: customer } = await onPhone(browser, service);
  const job = await newJob(customer, await newVehicle(customer), HERE);
  await ravi.accept(job.id);
  await page.goto(`/customer/jobs/${job.id}`);
  await page.getByRole("button", { name: "Message" }).click();
  const chat = page.getByRole("dialog", { name: "Ravi" });
  await chat.getByRole("textbox", { name: "Write a message" }).fill("I am beside the pillar");
  await chat.getByRole("textbox", { name: "Write a message" }).press("Enter");
  await expect(chat.getByLabel("Sent")).toBeVisible();

  await ravi.person.post(`/jobs/${job.id}/release`, { reason_code: "vehicle_trouble" });
  // The open chat stays open, and says why nobody can write.
  const open = page.getByRole("dialog");
  await expect(open.getByText("Your mechanic no longer has the job.", { exact: false })).toBeVisible();
  await expect(open.getByText("I am beside the pillar")).toBeVisible();
  await expectAccessible(page);
  await open.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("Your mechanic's own vehicle broke down.")).toBeVisible();
  await expectAccessible(page);

  const kiran = await Mechanic.register(service, admin, "Kiran Rao", north(HERE, 1_200));
  await kiran.goOnline();
  await kiran.accept(job.id);
  await expect(page.getByRole("heading", { name: "Kiran accepted your job" })).toBeVisible();
  await expect(page.getByText("Your mechanic's own vehicle broke down.")).toHaveCount(0);
  await page.getByRole("button", { name: "Message" }).click();
  const next = page.getByRole("dialog", { name: "Kiran" });
  await expect(next.getByText("Chat with Ravi, who no longer has the job")).toBeVisible();
  await expect(next.getByText("Chat with Kiran", { exact: true })).toBeVisible();
  await next.getByRole("textbox", { name: "Write a message" }).fill("Hello");
  await next.getByRole("textbox", { name: "Write a message" }).press("Enter");
  await expect(next.getByLabel("Sent")).toHaveCount(2);
  const seen = await kiran.person.get<{ data: { body: string; seq: number }[] }>(
    `/jobs/${job.id}/messages?since_seq=0`,
  );
  expect(seen.data.map(({ body }) => body)).toEqual(["Hello"]);
  await kiran.person.post(`/jobs/${job.id}/messages/read`, { up_to_seq: seen.data[0]?.seq });
  await expect(next.getByLabel("Read")).toHaveCount(1);
  await expect(next.getByLabel("Sent")).toHaveCount(1);
});
