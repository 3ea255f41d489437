// A mechanic's day in the browser, with a customer who uses the API.
import type { Schemas } from "../support/examples";
import { expectAccessible } from "../support/axe";
import { Mechanic, newJob, newVehicle, north, type Person } from "../support/people";
import { onPhone } from "../support/signin";
import { paidJob, picture } from "../console/desk-fill";
import {
  expect,
  expectWholePageAccessible,
  goOnline,
  loseAnswer,
  moveTo,
  nothingTwice,
  open,
  reaches,
  recorded,
  somewhere,
  test,
  verified,
} from "./support";

const jobOf = (customer: Person, id: string) => customer.get<Schemas["Job"]>(`/jobs/${id}`);

test("a job from the offer to the cash, with the network cut at the worst moments", async ({
  onDuty: { context, page, here, customer },
}) => {
  test.setTimeout(300_000);
  const vehicle = await newVehicle(customer);
  await expectAccessible(page);

  const pickup = north(here, 2_000);
  const job = await newJob(customer, vehicle, pickup, { description: "The rear tyre is flat" });
  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  await expect(offer).toBeVisible();
  await expectAccessible(page);

  await loseAnswer(page, "**/offers/*/accept");
  await offer.getByRole("button", { name: "Accept" }).click();
  await expect(offer.getByText("Finding out whether the job is yours", { exact: false })).toBeVisible();
  expect((await reaches(customer, job.id, "accepted")).status).toBe("accepted");
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/mechanic\/job$/);
  await expect(page.getByRole("link", { name: /Navigate with/ })).toHaveAttribute(
    "href",
    new RegExp(`destination=${pickup.lat.toFixed(6)}`),
  );
  await expectAccessible(page);
  await page.getByRole("button", { name: "Set out" }).click();
  await reaches(customer, job.id, "en_route");

  // Positions are recorded without a network and over a reload, and all of them arrive.
  const driven = Array.from({ length: 14 }, (_, index) => north(here, 130 * (index + 1)));
  for (const [index, at] of driven.entries()) {
    if (index === 2) await context.setOffline(true);
    const before = await recorded(page);
    await moveTo(context, at);
    // The first new one may still be of the previous place.
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
  const propose = async (what: string, price: string, photo?: Buffer) => {
    await page.getByRole("button", { name: "Add an item" }).click();
    const form = page.getByRole("dialog", { name: "Add an item" });
    await form.getByLabel("What is it?").fill(what);
    await form.getByLabel("Price of one").fill(price);
    if (photo)
      await form
        .locator('input[type="file"]')
        .last()
        .setInputFiles({ name: "tube.png", mimeType: "image/png", buffer: photo });
    await form.getByRole("button", { name: "Send to the customer" }).click();
    await expect(form).toBeHidden();
  };
  await propose("Tube", "250.50", picture(400, 300, [90, 90, 90]));
  await propose("Valve", "40");
  await expect(page.getByText("Waiting for the customer")).toHaveCount(2);
  await expectAccessible(page);
  const items = await customer.get<{ data: Schemas["LineItem"][] }>(`/jobs/${job.id}/line-items`);
  const tube = items.data.find(({ description }) => description === "Tube");
  expect(tube?.photo_url).toContain("/uploads/");
  await customer.post(`/jobs/${job.id}/line-items/${tube?.id}/approve`, {
    version: tube?.version,
    quoted_total: 250.5,
  });
  await expect(page.getByText("Approved", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Finish the work" }).click();
  const finish = page.getByRole("dialog", { name: "Finish the work" });
  await finish.getByRole("button", { name: "The work is done" }).click();
  await expect(finish.getByRole("alert")).toContainText("has yet to decide");
  await finish.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("Valve")).toBeHidden();

  await loseAnswer(page, "**/jobs/*/complete");
  await page.getByRole("button", { name: "Finish the work" }).click();
  await finish.getByRole("button", { name: "The work is done" }).click();
  await nothingTwice(page);
  await context.setOffline(false);
  await expect(page.getByText("The customer pays")).toBeVisible();
  const completed = await jobOf(customer, job.id);
  await expect(page.getByText(new RegExp(`₹${completed.final_price}`.replace(".", "\\."))).first()).toBeVisible();
  await expectAccessible(page);

  // A confirmation that is withdrawn while there is no network is not sent later.
  await page.getByRole("button", { name: "Paid in cash?" }).click();
  await context.setOffline(true);
  await page.getByRole("button", { name: /^Yes, I have/ }).click();
  await nothingTwice(page);
  await page.getByRole("button", { name: "Not yet" }).click();
  const unsure = page.getByText("What you sent may have arrived", { exact: false });
  await expect(unsure).toBeVisible();
  await context.setOffline(false);
  await expect(unsure).toBeHidden();
  const paid = () => customer.get<{ data: Schemas["Payment"][] }>(`/payments?job_id=${job.id}`);
  expect((await paid()).data).toEqual([]);
  // Nothing is lost if the network fails between the two requests.
  await page.getByRole("button", { name: "Paid in cash?" }).click();
  await page.route(
    "**/payments/*/cash-confirm",
    async (route) => {
      await context.setOffline(true);
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: /^Yes, I have/ }).click();
  await nothingTwice(page);
  await page.getByRole("button", { name: "Not yet" }).click();
  await context.setOffline(false);
  await expect(unsure).toBeHidden();
  expect((await paid()).data.map((payment) => payment.cash_confirmed_by_mechanic_at)).toEqual([null]);

  // Cash, confirmed by both.
  await page.getByRole("button", { name: "Paid in cash?" }).click();
  await loseAnswer(page, "**/payments/*/cash-confirm");
  await page.getByRole("button", { name: /^Yes, I have/ }).click();
  await nothingTwice(page);
  await context.setOffline(false);
  await expect(page.getByText(/You confirmed the cash/)).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  const { data: payments } = await customer.get<{ data: Schemas["Payment"][] }>(`/payments?job_id=${job.id}`);
  expect(payments).toHaveLength(1);
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
  await expect(page.getByRole("term").filter({ hasText: "You owe" })).toBeVisible();
  await expectWholePageAccessible(page);
});

test("a job that is cancelled, and one that is given to somebody else, end with a page that says so", async ({
  admin,
  onDuty: { context, page, here, customer },
}) => {
  const vehicle = await newVehicle(customer);
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

  // The job is taken away while the phone has no network.
  const third = await take();
  await context.setOffline(true);
  await admin.post(`/admin/jobs/${third.id}/reassign`, { reason: "The phone does not answer" });
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "The job went to another mechanic" })).toBeVisible();
  await customer.post(`/jobs/${third.id}/cancel`, { reason_code: "changed_mind" });
});

test("an offer can be declined, and one that is gone says why", async ({ onDuty: { page, here, customer } }) => {
  const vehicle = await newVehicle(customer);
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
});

test(
  "a mechanic without a job sees on the map where to wait, and why, and may stay",
  { tag: "@map" },
  async ({ browser, service, admin }) => {
    const here = somewhere();
    const there = north(here, 4_000);
    const { context, page } = await verified(browser, service, admin, here);
    const advice: Schemas["WaitingAdvice"] = {
      ...there,
      radius_m: 1_500,
      drive_s: 540,
      reason: "more_calls",
      why: "",
      until: new Date(Date.now() + 600_000).toISOString(),
      there: { calls_per_hour: 9.2, free_mechanics: 1 },
      here: { calls_per_hour: 3, free_mechanics: 4 },
    };
    await page.route("**/mechanics/me/advice", (route) => route.fulfill({ json: { advice } }));
    await page.reload();
    await goOnline(page);
    await expect(
      page.getByText("More calls come from the circle on the map (9.2 an hour) than from around you (3)."),
    ).toBeVisible();
    await expect(page.getByRole("application", { name: "circle to wait in" })).toBeVisible();
    await expect(page.getByText("It is 4 km away", { exact: false })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Stay here" }).click();
    await expect(page.getByText("More calls come from the circle", { exact: false })).toHaveCount(0);
    await expect(page.getByRole("application", { name: "circle to wait in" })).toHaveCount(0);

    // A mechanic who goes there reads that they are there.
    await page.reload();
    await moveTo(context, there);
    await expect(page.getByText("You are there.", { exact: false })).toBeVisible();
  },
);

test("the newest tab works; the older one says so and can take over", async ({ browser, service, admin }) => {
  const { context, page } = await verified(browser, service, admin, somewhere());
  await goOnline(page);
  const other = await context.newPage();
  await other.goto("/mechanic/");
  await expect(other.getByText(/Location sent/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "You are online on another device" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use this one instead" }).click();
  await expect(page.getByText(/Location sent/)).toBeVisible();
  await expect(other.getByRole("heading", { name: "You are online on another device" })).toBeVisible();
});

test("a suspended mechanic sees it at once, and their job goes on", async ({
  admin,
  onDuty: { page, profileId, here, customer },
}) => {
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
});

test("somebody new registers, is rejected with a reason, submits again and is verified", async ({
  browser,
  service,
  admin,
}) => {
  const { context, page, person } = await open(browser, service, somewhere());
  await page.goto("/mechanic/");
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByText("Still missing:")).toBeVisible();
  await expectAccessible(page);
  const fill = async () => {
    await page.getByRole("checkbox", { name: "Scooter or motorcycle" }).check();
    await page.getByRole("checkbox", { name: "Flat tyre" }).check();
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({
        name: "aadhaar.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"),
      });
    await page.getByRole("button", { name: "Submit" }).click();
  };
  // Form data and uploads survive the end of the page.
  await page.getByRole("checkbox", { name: "Car", exact: true }).check();
  await page
    .locator('input[type="file"]')
    .nth(1)
    .setInputFiles({
      name: "photo-id.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.4\n3 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"),
    });
  await expect(page.getByRole("button", { name: /^Remove/ })).toHaveCount(1);
  await expect
    .poll(() =>
      page.evaluate(() =>
        Object.entries(localStorage).some(
          ([key, value]) => key.startsWith("roadcall-written") && /"photo_id":\["[^"]+/.test(String(value)),
        ),
      ),
    )
    .toBe(true);
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "Car", exact: true })).toBeChecked();
  await expect(page.getByRole("button", { name: /^Remove/ })).toHaveCount(1);
  await page.getByRole("checkbox", { name: "Car", exact: true }).uncheck();
  await page.getByRole("button", { name: /^Remove/ }).click();
  await loseAnswer(page, "**/mechanics/register");
  await fill();
  await nothingTwice(page);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: /We are checking everything/ })).toBeVisible();
  await expectAccessible(page);
  const { id } = await person.get<Schemas["OwnMechanicProfile"]>("/mechanics/me");
  await admin.post(`/admin/mechanics/${id}/reject`, { reason: "The photo of the Aadhaar card is blurred" });
  await expect(page.getByText("The photo of the Aadhaar card is blurred")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Submit again" }).click();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: "aadhaar.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.4\n2 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"),
    });
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("heading", { name: /We are checking everything/ })).toBeVisible();
  await admin.post(`/admin/mechanics/${id}/verify`);
  await expect(page.getByRole("button", { name: "Go online" })).toBeVisible();
});

test("a refused permission is explained, with what to do", async ({ browser, service, admin }) => {
  const { context, page } = await verified(browser, service, admin, somewhere(), { permissions: [] });
  await page.getByRole("button", { name: "Go online" }).click();
  await expect(page.getByRole("heading", { name: /Your location is needed|Location is blocked/ })).toBeVisible();
  await expectAccessible(page);
  await context.grantPermissions(["geolocation"]);
  await page.getByRole("button", { name: /^(Allow location|I have allowed it)$/ }).click();
  await expect(page.getByText("You are online", { exact: true })).toBeVisible();
});

test(
  "where notifications are blocked the page says how to allow them, and sees when they are",
  { tag: "@push" },
  async ({ browser, service, admin }) => {
    // The browser denies permissions that are not listed.
    const { context, page } = await verified(browser, service, admin, somewhere(), { permissions: ["geolocation"] });
    await page.goto("/mechanic/you/notifications");
    await expect(page.getByText("Notifications are blocked. Allow them", { exact: false })).toBeVisible();
    await expect(page.getByRole("button", { name: "Turn on" })).toHaveCount(0);
    expect(await page.locator(".push > svg").boundingBox()).toMatchObject({ width: 24, height: 24 });
    await expectAccessible(page);
    await context.grantPermissions(["geolocation", "notifications"]);
    await expect(page.getByRole("button", { name: "Turn on" })).toBeVisible();
  },
);

test("a session whose token is refused goes on, and offers still arrive", async ({
  onDuty: { page, here, customer },
}) => {
  let refused = 0;
  await page.route("**/wallet", (route) => {
    refused += 1;
    return refused === 1
      ? route.fulfill({
          status: 401,
          json: { success: false, error: { code: "TOKEN_EXPIRED", message: "The token has expired." } },
        })
      : route.continue();
  });
  await page.getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByText("You can withdraw")).toBeVisible();
  expect(refused).toBe(2);
  await newJob(customer, await newVehicle(customer), north(here, 800));
  await expect(page.getByRole("button", { name: "Accept" })).toBeVisible();
});

test("a mechanic opens a dispute, and adds to it", async ({ browser, service, admin }) => {
  const here = somewhere();
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", here);
  await mechanic.goOnline();
  const { job } = await paidJob(service, mechanic, "Asha", "online", {}, here);
  const { page } = await onPhone(browser, service, { app: "mechanic", who: mechanic.person });
  await page.goto("/mechanic/wallet");
  await page.goto(`/mechanic/jobs/${job.id}`);
  await page.getByRole("button", { name: "Something is wrong with this job" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What happened").fill("The fee for the tow is missing.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("“The fee for the tow is missing.”")).toBeVisible();
  await page.getByRole("button", { name: "Add a statement" }).click();
  await dialog.getByLabel("What happened").fill("It was 12 km.");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("It was 12 km.")).toBeVisible();
  expect(await mechanic.person.get<object>(`/jobs/${job.id}/dispute`)).toMatchObject({
    opened_by: "mechanic",
    description: "The fee for the tow is missing.",
  });
  // The price that the customer pays after a split, not the reduction.
  await admin.post(`/admin/jobs/${job.id}/resolve`, {
    outcome: "split",
    price_reduction: 100,
    note: "Half of it is right.",
  });
  const decided = await mechanic.person.get<{ price_after: number; final_price: number }>(`/jobs/${job.id}/dispute`);
  expect(decided.price_after).toBe(decided.final_price - 100);
  await page.reload();
  await expect(
    page.getByText(`The customer pays ₹${decided.price_after} instead of ₹${decided.final_price}.`),
  ).toBeVisible();
  // The job's page and the list of jobs show the same price.
  await page.goto(`${service.url}/mechanic/jobs`);
  const listed = page.getByRole("link", { name: new RegExp(`₹${decided.price_after}\\b`) }).first();
  await expect(listed).toBeVisible();
  await expect(page.getByRole("main").getByText(`₹${decided.final_price}`, { exact: true })).toHaveCount(0);
  await listed.click();
  await expect(page.getByText("Taken off after the dispute")).toBeVisible();
  await expect(page.locator(".items .total")).toContainText(`₹${decided.price_after}`);
});
