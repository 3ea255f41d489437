// A mechanic's day in the browser, with a customer who uses the interface.
import type { components } from "../../src/shared/api/schema";
import { expectAccessible } from "../support/axe";
import { newAdmin, newJob, newVehicle, north, signIn, until, type Person } from "../support/people";
import { Service } from "../support/service";
import { test as base, expect } from "@playwright/test";
import { expectWholePageAccessible, goOnline, moveTo, open, recorded, somewhere, verified } from "./support";

type Schemas = components["schemas"];

/** Positions every second, from phones that may be moved quickly, so that a test of many of them is short. */
const test = base.extend<object, { service: Service; admin: Person }>({
  service: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const service = await Service.start({
        ROADCALL__DISPATCH__FAST_INTERVAL_S: "1",
        ROADCALL__DISPATCH__UNWATCHED_INTERVAL_S: "1",
        ROADCALL__DISPATCH__SLOW_INTERVAL_S: "1",
        ROADCALL__DISPATCH__MAX_SPEED_KMH: "2000",
        ROADCALL__DISPATCH__OFFER_TTL_S: "120",
      });
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 150_000 },
  ],
  admin: [async ({ service }, use) => use(await newAdmin(service)), { scope: "worker" }],
});

const jobOf = (customer: Person, id: string) => customer.get<Schemas["Job"]>(`/jobs/${id}`);
const reaches = (customer: Person, id: string, status: Schemas["JobStatus"]) =>
  until(`the job to be ${status}`, async () => {
    const job = await jobOf(customer, id);
    return job.status === status ? job : null;
  });

test("a job from the offer to the cash, with the network cut at the worst moments", async ({ browser, service, admin }) => {
  test.setTimeout(300_000);
  const here = somewhere();
  const { context, page } = await verified(browser, service, admin, here);
  const customer = await signIn(service, "Asha");
  const vehicle = await newVehicle(customer);
  await goOnline(page);
  await expectAccessible(page);

  const pickup = north(here, 2_000);
  const job = await newJob(customer, vehicle, pickup, { description: "The rear tyre is flat" });
  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  await expect(offer).toBeVisible();
  await expectAccessible(page);

  // The acceptance leaves the phone, its answer never comes back: there is no network any more. The test brings the request to the
  // service, past the cut.
  await page.route("**/offers/*/accept", async (route) => {
    await context.setOffline(true);
    await route.fetch();
    await route.abort();
  }, { times: 1 });
  await offer.getByRole("button", { name: "Accept" }).click();
  await expect(offer.getByText("Finding out whether the job is yours", { exact: false })).toBeVisible();
  expect((await reaches(customer, job.id, "accepted")).status).toBe("accepted");
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/mechanic\/job$/);
  await expect(page.getByRole("link", { name: /Navigate with/ })).toHaveAttribute("href", new RegExp(`destination=${pickup.lat.toFixed(6)}`));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Set out" }).click();
  await reaches(customer, job.id, "en_route");

  // Positions go on being recorded without a network and over a reload, and all of them arrive.
  const driven = Array.from({ length: 14 }, (_, index) => north(here, 130 * (index + 1)));
  for (const [index, at] of driven.entries()) {
    if (index === 2) await context.setOffline(true);
    const before = await recorded(page);
    await moveTo(context, at);
    // The first new one may still be of the place before.
    await expect.poll(() => recorded(page)).toBeGreaterThan(before + 1);
    if (index === 11) {
      await context.setOffline(false);
      await page.reload();
      await expect(page.getByRole("button", { name: "I have arrived" })).toBeVisible();
    }
  }
  await expect
    .poll(
      async () => {
        const { geometry } = await customer.get<Schemas["Trail"]>(`/jobs/${job.id}/route`);
        const trail = (geometry?.coordinates ?? []).map((place) => place[1] ?? 0);
        return driven.flatMap(({ lat }, index) => (trail.some((known) => Math.abs(known - lat) < 1e-6) ? [] : [index]));
      },
      { message: "places that are not on the trail" },
    )
    .toEqual([]);

  // Too far away for an arrival; then near enough.
  await moveTo(context, north(pickup, -600));
  await page.getByRole("button", { name: "I have arrived" }).click();
  await expect(page.getByRole("dialog", { name: "You seem to be too far away" })).toContainText("600 m");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Drive on" }).click();
  await moveTo(context, pickup);
  await page.getByRole("button", { name: "I have arrived" }).click();
  await expect(page.getByLabel("Start code")).toBeVisible();
  await expectAccessible(page);

  const { start_code } = await jobOf(customer, job.id);
  await page.getByLabel("Start code").fill(start_code === "1234" ? "4321" : "1234");
  await page.getByRole("button", { name: "Start the work" }).click();
  await expect(page.getByRole("alert")).toContainText("This code is wrong");
  await page.getByLabel("Start code").fill(start_code ?? "");
  await page.getByRole("button", { name: "Start the work" }).click();
  await expect(page.getByRole("button", { name: "Add an item" })).toBeVisible();

  // Items: one approved, one changed and withdrawn.
  const propose = async (what: string, price: string) => {
    await page.getByRole("button", { name: "Add an item" }).click();
    const form = page.getByRole("dialog", { name: "Add an item" });
    await form.getByLabel("What is it?").fill(what);
    await form.getByLabel("Price of one").fill(price);
    await form.getByRole("button", { name: "Send to the customer" }).click();
    await expect(form).toBeHidden();
  };
  await propose("Tube", "250.50");
  await propose("Valve", "40");
  await expect(page.getByText("Waits for the customer")).toHaveCount(2);
  await expectAccessible(page);
  const items = await customer.get<{ data: Schemas["LineItem"][] }>(`/jobs/${job.id}/line-items`);
  const tube = items.data.find(({ description }) => description === "Tube");
  await customer.post(`/jobs/${job.id}/line-items/${tube?.id}/approve`, { version: tube?.version, quoted_total: 250.5 });
  await expect(page.getByText("Approved", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Finish the work" }).click();
  const finish = page.getByRole("dialog", { name: "Finish the work" });
  await finish.getByRole("button", { name: "The work is done" }).click();
  await expect(finish.getByRole("alert")).toContainText("has yet to decide");
  await finish.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("Valve")).toBeHidden();

  // The completion arrives, its answer does not.
  await page.route("**/jobs/*/complete", async (route) => {
    await context.setOffline(true);
    await route.fetch();
    await route.abort();
  }, { times: 1 });
  await page.getByRole("button", { name: "Finish the work" }).click();
  await finish.getByRole("button", { name: "The work is done" }).click();
  await expect(finish.getByText("nothing is done twice", { exact: false })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("The customer pays")).toBeVisible();
  const completed = await jobOf(customer, job.id);
  await expect(page.getByText(new RegExp(`₹${completed.final_price}`.replace(".", "\\."))).first()).toBeVisible();
  await expectAccessible(page);

  // Cash, confirmed by both.
  await page.getByRole("button", { name: "Paid in cash?" }).click();
  await page.getByRole("button", { name: /^Yes, I have/ }).click();
  await expect(page.getByText(/You confirmed the cash/)).toBeVisible();
  const { data: payments } = await customer.get<{ data: Schemas["Payment"][] }>(`/payments?job_id=${job.id}`);
  await customer.post(`/payments/${payments[0]?.id}/cash-confirm`, { amount: payments[0]?.amount });
  await expect(page.getByRole("heading", { name: /paid$/ })).toBeVisible();

  await page.locator(".stars label").nth(4).click();
  await page.getByText("Polite", { exact: true }).click();
  await page.getByRole("button", { name: "Send rating" }).click();
  await expect(page.getByText("Your rating of the customer")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await expect(page.getByText("You are online", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByText("You owe")).toBeVisible();
  await expectWholePageAccessible(page);
  await context.close();
});

test("a job that is cancelled, and one that is given to somebody else, end with a page that says so", async ({ browser, service, admin }) => {
  const here = somewhere();
  const { context, page } = await verified(browser, service, admin, here);
  const customer = await signIn(service, "Asha");
  const vehicle = await newVehicle(customer);
  await goOnline(page);
  const take = async () => {
    const job = await newJob(customer, vehicle, north(here, 800));
    await page.getByRole("button", { name: "Accept" }).click();
    await expect(page.getByRole("button", { name: "Set out" })).toBeVisible();
    return job;
  };

  const first = await take();
  await customer.post(`/jobs/${first.id}/cancel`, { reason_code: "found_other_help" });
  await expect(page.getByRole("heading", { name: "The job was cancelled" })).toBeVisible();
  await expect(page.getByText("No fee is due for it.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "On to the next job" }).click();

  const second = await take();
  await admin.post(`/admin/jobs/${second.id}/reassign`, { reason: "The customer asked for it" });
  await expect(page.getByRole("heading", { name: "The job went to another mechanic" })).toBeVisible();
  await page.reload();
  await expect(page.getByText("You have no job right now")).toBeVisible();
  await customer.post(`/jobs/${second.id}/cancel`, { reason_code: "changed_mind" });
  await context.close();
});

test("an offer can be declined, and one that is gone says why", async ({ browser, service, admin }) => {
  const here = somewhere();
  const { context, page } = await verified(browser, service, admin, here);
  const customer = await signIn(service, "Asha");
  const vehicle = await newVehicle(customer);
  await goOnline(page);
  const first = await newJob(customer, vehicle, north(here, 800));
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("button", { name: "Too far" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await customer.post(`/jobs/${first.id}/cancel`, { reason_code: "changed_mind" });

  const second = await newJob(customer, vehicle, north(here, 800));
  await expect(page.getByRole("button", { name: "Accept" })).toBeVisible();
  await customer.post(`/jobs/${second.id}/cancel`, { reason_code: "changed_mind" });
  await expect(page.getByText(/is no longer needed/)).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  await context.close();
});

test("the newest tab works; the older one says so and can take over", async ({ browser, service, admin }) => {
  const { context, page } = await verified(browser, service, admin, somewhere());
  await goOnline(page);
  const other = await context.newPage();
  await other.goto("/mechanic/");
  await expect(other.getByText(/Your place was sent/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "You are online on another device" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use this one instead" }).click();
  await expect(page.getByText(/Your place was sent/)).toBeVisible();
  await expect(other.getByRole("heading", { name: "You are online on another device" })).toBeVisible();
  await context.close();
});

test("a suspended mechanic sees it at once, and their job goes on", async ({ browser, service, admin }) => {
  const here = somewhere();
  const { context, page, profileId } = await verified(browser, service, admin, here);
  const customer = await signIn(service, "Asha");
  await goOnline(page);
  await newJob(customer, await newVehicle(customer), north(here, 800));
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByRole("button", { name: "Set out" })).toBeVisible();
  await admin.post(`/admin/mechanics/${profileId}/suspend`, { reason: "A complaint is being looked at" });
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("heading", { name: "Your account is suspended" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Open the job" }).click();
  await page.getByRole("button", { name: "Set out" }).click();
  await expect(page.getByRole("button", { name: "I have arrived" })).toBeVisible();
  await context.close();
});

test("somebody new registers, is rejected with a reason, submits again and is verified", async ({ browser, service, admin }) => {
  const { context, page, person } = await open(browser, service, somewhere());
  await page.goto("/mechanic/");
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByText("Still missing:")).toBeVisible();
  await expectAccessible(page);
  const fill = async () => {
    await page.getByRole("checkbox", { name: "Scooter or motorcycle" }).check();
    await page.getByRole("checkbox", { name: "Flat tyre" }).check();
    await page.locator('input[type="file"]').first().setInputFiles({ name: "aadhaar.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n") });
    await page.getByRole("button", { name: "Submit" }).click();
  };
  await fill();
  await expect(page.getByRole("heading", { name: /We are checking everything/ })).toBeVisible();
  await expectAccessible(page);
  const { id } = await person.get<Schemas["OwnMechanicProfile"]>("/mechanics/me");
  await admin.post(`/admin/mechanics/${id}/reject`, { reason: "The photo of the Aadhaar card is blurred" });
  await expect(page.getByText("The photo of the Aadhaar card is blurred")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Submit again" }).click();
  await page.locator('input[type="file"]').first().setInputFiles({ name: "aadhaar.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n2 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n") });
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("heading", { name: /We are checking everything/ })).toBeVisible();
  await admin.post(`/admin/mechanics/${id}/verify`);
  await expect(page.getByRole("button", { name: "Go online" })).toBeVisible();
  await context.close();
});

test("a refused permission is explained, with what to do", async ({ browser, service, admin }) => {
  const { context, page } = await verified(browser, service, admin, somewhere(), { permissions: [] });
  await page.getByRole("button", { name: "Go online" }).click();
  await expect(page.getByRole("heading", { name: /Your place is (needed|not allowed)/ })).toBeVisible();
  await expectAccessible(page);
  await context.grantPermissions(["geolocation"]);
  await page.getByRole("button", { name: /^(Allow my place|I have allowed it)$/ }).click();
  await expect(page.getByText("You are online", { exact: true })).toBeVisible();
  await context.close();
});

test("a session whose token is refused goes on, and offers still arrive", async ({ browser, service, admin }) => {
  const here = somewhere();
  const { context, page } = await verified(browser, service, admin, here);
  const customer = await signIn(service, "Asha");
  await goOnline(page);
  let refused = 0;
  await page.route("**/wallet", (route) => {
    refused += 1;
    return refused === 1 ? route.fulfill({ status: 401, json: { success: false, error: { code: "TOKEN_EXPIRED", message: "The token has expired." } } }) : route.continue();
  });
  await page.getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByText("You can withdraw")).toBeVisible();
  expect(refused).toBe(2);
  await newJob(customer, await newVehicle(customer), north(here, 800));
  await expect(page.getByRole("button", { name: "Accept" })).toBeVisible();
  await context.close();
});
