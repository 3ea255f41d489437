// What a mechanic on duty must neither miss nor wait for: a job from support, a break, a position that the phone
// already knows, and the day's figures.
import type { Schemas } from "../support/examples";
import type { Page, Route } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { newJob, newVehicle, north, type Person } from "../support/people";
import { picture } from "../shared/support";
import { expect, goOnline, moveTo, reaches, somewhere, test, verified } from "./support";

/** Gives the job to a mechanic whom dispatch would not ask. */
const assign = (admin: Person, id: string, profileId: string) =>
  admin.post(`/admin/jobs/${id}/assign`, { mechanic_profile_id: profileId, override_reason: "Agreed on the phone" });

test("a job that an admin assigns covers the screen until it is opened, and counts once it is done", async ({
  admin,
  onDuty: { page, person, profileId, here, customer },
}) => {
  await page.getByRole("link", { name: /^You/ }).click();
  const jobs = page.locator("dl div", { hasText: "Jobs done" }).getByRole("definition");
  await expect(jobs).toHaveText("0");
  await page.getByRole("link", { name: "Wallet" }).click();

  // Farther than they are willing to drive: dispatch does not offer it to them.
  const job = await newJob(customer, await newVehicle(customer), north(here, 40_000));
  await assign(admin, job.id, profileId);
  const notice = page.getByRole("dialog", { name: "Support gave you this job" });
  await expect(notice).toContainText("Opposite the post office");
  await expectAccessible(page);
  await notice.getByRole("button", { name: "Open the job" }).click();
  await expect(notice).toBeHidden();
  await expect(page).toHaveURL(/\/mechanic\/job$/);

  await person.post(`/jobs/${job.id}/en-route`);
  await person.post(`/jobs/${job.id}/arrive`, { override_reason: "The gate is closed" });
  const { start_code } = await customer.get<Schemas["Job"]>(`/jobs/${job.id}`);
  await person.post(`/jobs/${job.id}/start`, { start_code });
  await person.post(`/jobs/${job.id}/complete`, { outcome: "fixed" });
  const payment = await customer.post<{ payment_id: string; amount: number }>("/payments/orders", {
    job_id: job.id,
    method: "cash",
  });
  const { data } = await customer.get<{ data: Schemas["Payment"][] }>(`/payments?job_id=${job.id}`);
  await customer.post(`/payments/${payment.payment_id}/cash-confirm`, { amount: data[0]?.amount });
  await person.post(`/payments/${payment.payment_id}/cash-confirm`, { amount: data[0]?.amount });
  await page.locator(".stars label").nth(4).click();
  // One thing to do at a time.
  await expect(page.getByRole("button", { name: "Send rating" })).toHaveClass(/primary/);
  await expect(page.getByRole("button", { name: "Done", exact: true })).not.toHaveClass(/primary/);
  await page.getByRole("button", { name: "Send rating" }).click();
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await page.getByRole("link", { name: /^You/ }).click();
  await expect(jobs).toHaveText("1");
});

test("a job that was given back and is assigned again covers the screen, and is not sure until they set out", async ({
  admin,
  onDuty: { page, person, profileId, here, customer },
}) => {
  const job = await newJob(customer, await newVehicle(customer), north(here, 40_000));
  const notice = page.getByRole("dialog", { name: "Support gave you this job" });
  await assign(admin, job.id, profileId);
  await notice.getByRole("button", { name: "Open the job" }).click();
  const read = await customer.get<Schemas["Job"]>(`/jobs/${job.id}`);
  expect(read.is_unconfirmed).toBe(true);

  // The page still says that the job was given back when the same job comes again.
  await page.getByRole("button", { name: "I can't do this job" }).click();
  await page.getByRole("button", { name: "Parts or tools are missing" }).click();
  await expect(page.getByRole("heading", { name: "You gave the job back" })).toBeVisible();
  await reaches(customer, job.id, "dispatching");
  await assign(admin, job.id, profileId);
  await expect(notice).toContainText("Opposite the post office");
  await notice.getByRole("button", { name: "Open the job" }).click();
  await page.getByRole("button", { name: "Set out" }).click();
  await reaches(customer, job.id, "en_route");
  expect((await customer.get<Schemas["Job"]>(`/jobs/${job.id}`)).is_unconfirmed).toBe(false);
  await person.post(`/jobs/${job.id}/release`, { reason_code: "personal" });
});

test("an arrival and a photo without a network wait in order, survive a reload, and are sent once", async ({
  admin,
  onDuty: { context, page, person, profileId, here, customer },
}) => {
  const job = await newJob(customer, await newVehicle(customer), north(here, 40_000));
  await assign(admin, job.id, profileId);
  await page.getByRole("button", { name: "Open the job", exact: true }).click();
  await page.getByRole("button", { name: "Set out" }).click();
  await reaches(customer, job.id, "en_route");
  await moveTo(context, north(here, 40_000));
  const lose = (route: Route) => route.abort();
  await context.route("**/jobs/*/arrive", lose);
  await page.getByRole("button", { name: "I have arrived" }).click();
  const waiting = page.getByRole("region", { name: "Waiting to be sent" });
  await expect(waiting.getByRole("listitem")).toHaveText(/I have arrived/);
  await expectAccessible(page);
  await page.reload();
  await expect(waiting.getByRole("listitem")).toHaveText(/I have arrived/);
  await context.unroute("**/jobs/*/arrive", lose);
  await reaches(customer, job.id, "arrived");
  await expect(waiting).toBeHidden();

  // A photo keeps its bytes over a reload.
  await context.route("**/uploads/presign", lose);
  const field = page.getByRole("group", { name: "Photos of the work" });
  await field
    .locator("input[type=file]")
    .last()
    .setInputFiles(await picture(page, 600, 400));
  await expect(waiting.getByRole("listitem")).toHaveText(/Photo/);
  await page.reload();
  await expect(waiting.getByRole("listitem")).toHaveText(/Photo/);
  await context.unroute("**/uploads/presign", lose);
  await expect(waiting).toBeHidden();
  const photos = await customer.get<{ data: Schemas["JobPhoto"][] }>(`/jobs/${job.id}/photos`);
  expect(photos.data.map(({ stage }) => stage)).toEqual(["before"]);
  await person.post(`/jobs/${job.id}/release`, { reason_code: "personal" });
});

test("two photos wait, though the app is closed meanwhile, and hold up no step", async ({
  admin,
  onDuty: { context, page, person, profileId, here, customer },
}) => {
  const job = await newJob(customer, await newVehicle(customer), north(here, 40_000));
  await assign(admin, job.id, profileId);
  await page.getByRole("button", { name: "Open the job", exact: true }).click();
  await page.getByRole("button", { name: "Set out" }).click();
  await reaches(customer, job.id, "en_route");
  await person.post(`/jobs/${job.id}/arrive`, { override_reason: "The gate is closed" });
  const lose = (route: Route) => route.abort();
  await context.route("**/uploads/presign", lose);
  const input = page.getByRole("group", { name: "Photos of the work" }).locator("input[type=file]").last();
  const waitingOn = (tab: Page) => tab.getByRole("region", { name: "Waiting to be sent" }).getByRole("listitem");
  for (const [count, width] of [
    [1, 1200],
    [2, 300],
  ] as const) {
    await input.setInputFiles(await picture(page, width, 400));
    await expect(waitingOn(page)).toHaveCount(count);
  }

  await page.close();
  const again = await context.newPage();
  await again.goto("/mechanic/job");
  await expect(waitingOn(again)).toHaveCount(2);
  // The upload of the first one stays unanswered for now.
  const bytes = /\/uploads\/.*\/content/;
  const held: Route[] = [];
  const hold = (route: Route) => (route.request().method() === "PUT" ? void held.push(route) : route.fallback());
  await context.route(bytes, hold);
  await context.unroute("**/uploads/presign", lose);
  await expect.poll(() => held.length).toBe(1);

  const { start_code } = await customer.get<Schemas["Job"]>(`/jobs/${job.id}`);
  await person.post(`/jobs/${job.id}/start`, { start_code });
  await again.getByRole("button", { name: "Finish the work" }).click();
  await again.getByRole("dialog").getByRole("button", { name: "The work is done" }).click();
  await reaches(customer, job.id, "completed");
  await expect(waitingOn(again)).toHaveCount(2);

  await context.unroute(bytes, hold);
  for (const route of held) await route.abort().catch(() => {});
  const photos = () => customer.get<{ data: Schemas["JobPhoto"][] }>(`/jobs/${job.id}/photos`);
  await expect.poll(async () => (await photos()).data.length).toBe(2);
  await expect(waitingOn(again)).toHaveCount(0);
  // The second one was not begun before the first one was there.
  expect(held).toHaveLength(1);
});

test("who declines for a break is offline, and the offer's notification is no longer unread", async ({
  onDuty: { page, here, customer },
}) => {
  const you = page.getByRole("link", { name: /^You/ });
  // The notification that the mechanic is verified.
  await expect(you).toContainText("Unread: 1");
  const job = await newJob(customer, await newVehicle(customer), north(here, 800));
  await expect(page.getByRole("button", { name: "Decline" })).toBeVisible();
  await expect(page.locator("nav")).toContainText("Unread: 2");
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("button", { name: "I'm taking a break: go offline" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText("You are offline", { exact: true })).toBeVisible();
  await expect(page.getByText("Go online again after your break.", { exact: false })).toBeVisible();
  await expect(you).toContainText("Unread: 1");
  await customer.post(`/jobs/${job.id}/cancel`, { reason_code: "changed_mind" });
});

test("a profile that was read before going online does not switch the page back", async ({
  browser,
  service,
  admin,
}) => {
  const { page } = await verified(browser, service, admin, somewhere());
  await expect(page.getByRole("button", { name: "Go online" })).toBeVisible();
  let release = () => {};
  const isOnline = new Promise<void>((resolve) => (release = resolve));
  let reads = 0;
  await page.route("**/mechanics/me", async (route) => {
    const response = await route.fetch();
    reads += 1;
    await isOnline;
    await route.fulfill({ response });
  });
  // As when the person returns to the app.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect.poll(() => reads).toBeGreaterThan(0);
  await goOnline(page);
  // The page also loads it when its socket opens.
  const readBefore = reads;
  const again = page.waitForResponse((response) => response.url().endsWith("/mechanics/me") && reads > readBefore);
  release();
  await again;
  await expect(page.getByText("You are online", { exact: true })).toBeVisible();
  await expect(page.getByText("You were switched offline", { exact: false })).toHaveCount(0);
});

test("an arrival does not wait for a phone that has nothing new to say about its place", async ({
  onDuty: { page, here, customer },
}) => {
  const job = await newJob(customer, await newVehicle(customer), north(here, 20));
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("button", { name: "Set out" }).click();
  await reaches(customer, job.id, "en_route");
  await page.evaluate(() => (navigator.geolocation.getCurrentPosition = () => {}));
  await page.getByRole("button", { name: "I have arrived" }).click();
  await reaches(customer, job.id, "arrived");
  await customer.post(`/jobs/${job.id}/cancel`, { reason_code: "changed_mind" });
});

test("a mechanic who is taken off duty reads why", async ({ browser, service, admin }) => {
  const { page, profileId } = await verified(browser, service, admin, somewhere());
  await expect(page.getByRole("button", { name: "Go online" })).toBeVisible();
  await admin.post(`/admin/mechanics/${profileId}/suspend`, { reason: "Your documents have expired. Send new ones." });
  await expect(page.getByText("Your documents have expired. Send new ones.")).toBeVisible();
  await expectAccessible(page);
});
