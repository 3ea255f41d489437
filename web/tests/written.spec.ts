// What people have typed and not sent yet survives a reload and a killed tab, in every app.
import type { Page } from "@playwright/test";
import type { Schemas } from "./support/examples";
import { signInConsole } from "./console/live-support";
import {
  Mechanic,
  newAdmin,
  newJob,
  newPhone,
  newVehicle,
  north,
  signIn,
  type Person,
  type Place,
} from "./support/people";
import type { Service } from "./support/service";
import { onPhone } from "./support/signin";
import { expect, test } from "./support/test";

/** Each test has its own town, so that no other test's mechanic is near. */
let town = 0;
let here: Place;
let admin: Person;
test.beforeEach(() => {
  town += 1;
  here = { lat: 12.9716 + town, lng: 77.5946 };
});
test.beforeAll(async ({ service }) => {
  admin = await newAdmin(service);
});

async function mechanicHere(service: Service, name: string): Promise<Mechanic> {
  const mechanic = await Mechanic.register(service, admin, name, north(here, 300));
  await mechanic.goOnline();
  return mechanic;
}

/** Replaces the page by a new tab that shows the same. */
async function killed(page: Page): Promise<Page> {
  const next = await page.context().newPage();
  await next.goto(page.url());
  await page.close();
  return next;
}

const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }));

/** Makes everything on this device this many hours older. */
const age = (page: Page, hours: number) =>
  page.evaluate((hours) => {
    for (const [key, value] of Object.entries(localStorage)) {
      if (!key.startsWith("roadcall-written")) continue;
      const written = JSON.parse(String(value)) as { entries: Record<string, { at: number }> };
      for (const entry of Object.values(written.entries)) entry.at -= hours * 3_600_000;
      localStorage.setItem(key, JSON.stringify(written));
    }
  }, hours);

/** Opens the chat of the page's job. */
async function chat(page: Page) {
  await page.getByRole("button", { name: "Message" }).click();
  return page.getByRole("textbox", { name: "Write a message" });
}

test("a message to one mechanic waits for that mechanic, until it is sent, too old, or its writer signs out", async ({
  browser,
  service,
}) => {
  const ravi = await mechanicHere(service, "Ravi");
  const phone = await onPhone(browser, service, { at: here });
  const { person: customer } = phone;
  const job = await newJob(customer, await newVehicle(customer), here);
  await ravi.accept(job.id);
  let { page } = phone;
  await page.goto(`/customer/jobs/${job.id}`);
  await (await chat(page)).fill("The gate is blue");
  await page.reload();
  await expect(await chat(page)).toHaveValue("The gate is blue");
  page = await killed(page);
  const write = page.getByRole("textbox", { name: "Write a message" });
  await expect(await chat(page)).toHaveValue("The gate is blue");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log").getByText("The gate is blue")).toHaveCount(1);
  await expect(write).toHaveValue("");
  await page.reload();
  await (await chat(page)).fill("Are you near, Ravi?");
  await expect(page.getByRole("log").getByText("The gate is blue")).toHaveCount(1);
  await age(page, 23);
  await page.reload();
  await expect(await chat(page)).toHaveValue("Are you near, Ravi?");
  // Showing it again does not extend its lifetime.
  await age(page, 2);
  await page.reload();
  await expect(await chat(page)).toHaveValue("");

  await write.fill("How long will it take, Ravi?");
  await ravi.person.post(`/jobs/${job.id}/release`, { reason_code: "vehicle_trouble" });
  const meena = await mechanicHere(service, "Meena");
  await meena.accept(job.id);
  await expect(page.getByRole("heading", { level: 2, name: "Meena" })).toBeVisible();
  await expect(write).toHaveValue("");
  await write.fill("Turn left at the temple");
  await page.reload();
  await expect(await chat(page)).toHaveValue("Turn left at the temple");

  await page.goto("/customer/account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await kept(page)).not.toContain("roadcall-written");
});

test("a mechanic's message to the customer survives a killed tab", async ({ browser, service }) => {
  const mechanic = await mechanicHere(service, "Ravi");
  const customer = await signIn(service, "Asha");
  const job = await newJob(customer, await newVehicle(customer), here);
  await mechanic.accept(job.id);
  const phone = await onPhone(browser, service, { app: "mechanic", who: mechanic.person, at: here });
  let { page } = phone;
  await page.goto("/mechanic/job");
  await (await chat(page)).fill("I am at the gate");
  page = await killed(page);
  const write = await chat(page);
  await expect(write).toHaveValue("I am at the gate");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log").getByText("I am at the gate")).toHaveCount(1);
  await expect(write).toHaveValue("");
  expect(await kept(page)).not.toContain(`chat-${job.id}`);
});

test("a rating that is not sent yet survives a killed tab, with its stars, tags and comment, on both sides", async ({
  browser,
  service,
}) => {
  const mechanic = await mechanicHere(service, "Ravi");
  const customers = await onPhone(browser, service, { at: here });
  const job = await newJob(customers.person, await newVehicle(customers.person), here);
  await mechanic.doJob(customers.person, job.id);
  const mechanics = await onPhone(browser, service, { app: "mechanic", who: mechanic.person, at: here });
  const sides = [
    {
      ...customers,
      app: "customer",
      comment: "Anything to add?",
      send: "Send the rating",
      sent: "Your rating",
    },
    {
      ...mechanics,
      app: "mechanic",
      comment: "Anything else?",
      send: "Send rating",
      sent: "Your rating of the customer",
    },
  ] as const;
  for (const { page: first, app, comment, send, sent } of sides) {
    let page = first;
    await page.goto(`/${app}/jobs/${job.id}`);
    await page.locator(".stars label").nth(3).click();
    await page.getByText("Polite", { exact: true }).click();
    await page.getByLabel(comment).fill("A calm voice");
    page = await killed(page);
    await expect(page.getByLabel(comment)).toHaveValue("A calm voice");
    await expect(page.getByLabel("4 stars").or(page.getByLabel("4 of 5 stars"))).toBeChecked();
    await expect(page.getByLabel("Polite", { exact: true })).toBeChecked();
    await page.getByRole("button", { name: send }).click();
    await expect(page.getByText(sent, { exact: true })).toBeVisible();
    expect(await kept(page)).not.toContain(`rating-${job.id}`);
  }
  const path = `/jobs/${job.id}/ratings`;
  const rating = { score: 4, tags: ["polite"], comment: "A calm voice" };
  expect(await customers.person.get<object>(path)).toMatchObject({ by_customer: rating, by_mechanic: rating });
});

test("the console's new job survives a killed tab until it is made, begun anew, too old, or signed out of", async ({
  context,
  service,
}) => {
  const number = newPhone();
  let page = await context.newPage();
  await signInConsole(page, service, admin, "/jobs/new");
  const fill = async () => {
    await page.getByLabel("Phone number of the caller").fill(number);
    await page.getByRole("button", { name: "Find the customer" }).click();
  };
  await fill();
  await page.getByLabel("Name").fill("Lata Iyer");
  page = await killed(page);
  await expect(page.getByLabel("Phone number of the caller")).toHaveValue(number);
  await page.getByRole("button", { name: "Find the customer" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("Lata Iyer");
  await page.getByRole("button", { name: "Add the customer" }).click();
  await page.getByLabel("Plate").fill("KA01AB1234");
  await page.getByLabel("Make").fill("Hero");
  page = await killed(page);
  await expect(page.getByLabel("Plate")).toHaveValue("KA01AB1234");
  await page.getByLabel("Model").fill("Splendor");
  await page.getByRole("button", { name: "Add the vehicle" }).click();
  await page.getByLabel("Address, as the mechanic should read it").fill("Near the old fort");
  await page.getByLabel("Coordinates").fill(`${here.lat}, ${here.lng}`);
  await page.getByRole("radio", { name: /Flat tyre/ }).check();
  await page.getByLabel("In the caller's words").fill("The rear one");
  await page.getByLabel("Urgency").selectOption("highway");
  page = await killed(page);
  await expect(page.getByText("You typed this earlier")).toBeVisible();
  await expect(page.getByText("Lata Iyer")).toBeVisible();
  await expect(page.getByRole("radio", { name: /KA01AB1234/ })).toBeChecked();
  await expect(page.getByLabel("Address, as the mechanic should read it")).toHaveValue("Near the old fort");
  await expect(page.getByRole("radio", { name: /Flat tyre/ })).toBeChecked();
  await expect(page.getByLabel("In the caller's words")).toHaveValue("The rear one");
  await expect(page.getByLabel("Urgency")).toHaveValue("highway");
  await page.getByRole("button", { name: "Make the job" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Flat tyre, Lata Iyer" })).toBeVisible();
  const id = page.url().split("/").at(-1) ?? "";
  expect(await admin.get<Schemas["Job"]>(`/jobs/${id}`)).toMatchObject({
    pickup_address: "Near the old fort",
    description: "The rear one",
    urgency: "highway",
  });
  expect(await kept(page)).not.toContain("Near the old fort");

  // Another caller's form starts empty; the abandoned one can be started over.
  await page.goto("/console/jobs/new");
  await expect(page.getByLabel("Phone number of the caller")).toHaveValue("");
  await fill();
  await expect(page.getByRole("radio", { name: /KA01AB1234/ })).toBeChecked();
  await page.getByLabel("Address, as the mechanic should read it").fill("Behind the market");
  await page.goto(`/console/jobs/new?phone=${encodeURIComponent(newPhone())}`);
  await expect(page.getByLabel("Phone number of the caller")).not.toHaveValue(number);
  await expect(page.getByText("You typed this earlier")).toHaveCount(0);
  await page.goto("/console/jobs/new");
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(page.getByLabel("Phone number of the caller")).toHaveValue("");
  await fill();
  await page.getByLabel("Address, as the mechanic should read it").fill("Behind the market");
  await age(page, 2);
  await page.reload();
  await expect(page.getByLabel("Phone number of the caller")).toHaveValue("");
  await fill();
  await page.getByLabel("Address, as the mechanic should read it").fill("Behind the market");
  await page.goto("/console/account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  expect(await kept(page)).not.toContain("roadcall-written");
});
