// A complete job as a customer experiences it on a phone, with the network cut at the worst moments.
import { expectAccessible } from "../support/axe";
import { Mechanic, newAdmin, newJob, newVehicle, north, until, type Person } from "../support/people";
import { onPhone, type OnPhone } from "../support/signin";
import { expect, test as base } from "../support/test";
import type { Page, Route } from "@playwright/test";
import type { Service } from "../support/service";

/** "Ask anyway" appears where no mechanic has been yet, as on a service without any. */
const SEND = /Send a mechanic|Ask anyway/;

/** Each test has its own town, so that no other test's mechanic or job is near. */
let town = 0;
let HERE = { lat: 12.9716, lng: 77.5946 };
/** The page is on the phone of a customer. */
const test = base.extend<{ phone: OnPhone; customer: Person }>({
  phone: async ({ browser, service }, use) => {
    const permissions = ["geolocation", "clipboard-read", "clipboard-write"];
    await use(await onPhone(browser, service, { at: HERE, permissions }));
  },
  context: ({ phone }, use) => use(phone.context),
  page: ({ phone }, use) => use(phone.page),
  customer: ({ phone }, use) => use(phone.person),
});

// A cancellation costs a fee as soon as a mechanic has accepted; there is a support contact and an emergency
// number.
test.use({
  settings: {
    ROADCALL__FEES__FREE_AFTER_ACCEPT_S: "0",
    ROADCALL__SUPPORT__PHONE: "+918012345678",
    ROADCALL__SUPPORT__EMAIL: "help@example.com",
    ROADCALL__SUPPORT__EMERGENCY_PHONE: "108",
  },
});

test.beforeEach(() => {
  town += 1;
  HERE = { lat: 12.9716 + town, lng: 77.5946 };
});

async function mechanicAt(service: Service, metres: number): Promise<Mechanic> {
  const mechanic = await Mechanic.register(service, await newAdmin(service), "Ravi", north(HERE, metres));
  await mechanic.goOnline();
  return mechanic;
}

/** The request arrives, but its answer does not. */
async function loseTheAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort("connectionreset");
}

/** Goes from a known vehicle and its problem to the price. */
async function askFor(page: Page, customer: Person, problem: RegExp): Promise<void> {
  await newVehicle(customer);
  await page.goto("/customer/");
  await page.getByRole("button", { name: problem }).click();
  await page.getByRole("button", { name: "Help me here" }).click();
}

/** Sends the request while the service can't be reached. Returns a function that ends that. */
async function sendInVain(page: Page): Promise<() => Promise<void>> {
  await expect(page.getByRole("button", { name: SEND })).toBeEnabled();
  const lose = (route: Route) => (route.request().method() === "POST" ? route.abort() : route.fallback());
  await page.context().route("**/api/v1/jobs", lose);
  await page.getByRole("button", { name: SEND }).click();
  await expect(page.getByText("No answer yet.")).toBeVisible();
  return () => page.context().unroute("**/api/v1/jobs", lose);
}

const openJobs = async (customer: Person) =>
  (await customer.get<{ data: { id: string }[] }>("/jobs?role=customer")).data;

test("from the first tap to the receipt, with a page by a link beside it", async ({
  page,
  customer,
  browser,
  service,
}) => {
  const mechanic = await mechanicAt(service, 1500);
  await newVehicle(customer);

  // Three taps from a known vehicle to a mechanic.
  await page.goto("/customer/");
  await page.getByRole("button", { name: /Flat tyre/ }).click();
  await expect(page.getByText("This is your position.")).toBeVisible();
  await page.getByLabel(/Describe the place/).fill("Opposite the post office");
  await page.getByRole("button", { name: "Help me here" }).click();
  await expect(page.getByText("₹299").first()).toBeVisible();
  await page.getByRole("button", { name: "Send a mechanic" }).click();
  await expect(page).toHaveURL(/\/jobs\/[\w-]+$/);
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  const id = page.url().split("/").at(-1) ?? "";
  const made = await customer.get<{ pickup_address: string; pickup_lat: number }>(`/jobs/${id}`);
  expect(made).toMatchObject({ pickup_address: "Opposite the post office", pickup_lat: HERE.lat });

  const accepted = await mechanic.accept(id);
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await mechanic.setOut(id);
  await mechanic.move(north(HERE, 900));
  await expect(page.getByRole("heading", { name: "Ravi is on the way" })).toBeVisible();
  await expect(page.getByText(/Live · seen/)).toBeVisible();

  // Another person follows by a link, without an account.
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByLabel("They can also message and call the mechanic").check();
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  await page.getByRole("button", { name: "Close" }).first().click();
  const guest = await (await browser.newContext({ viewport: { width: 360, height: 740 }, locale: "en-IN" })).newPage();
  await guest.goto(`${service.url}${new URL(link).pathname}`);
  await expect(guest.getByRole("heading", { name: "Ravi is on the way" })).toBeVisible();
  await expect(guest.getByText("Hero Splendor")).toBeVisible();
  await expectAccessible(guest);

  await mechanic.arrive(accepted);
  await expect(page.getByRole("heading", { name: "Ravi has arrived" })).toBeVisible();
  await expect(guest.getByRole("heading", { name: "Ravi has arrived" })).toBeVisible();
  const { start_code } = await customer.get<{ start_code: string }>(`/jobs/${id}`);
  await expect(page.locator(".digits")).toContainText(start_code);
  await expect(guest.locator(".digits")).toHaveCount(0);
  await mechanic.start(id, start_code);

  await mechanic.propose(id, "New inner tube", 180);
  await mechanic.propose(id, "Polish", 99.5);
  await page.getByRole("button", { name: /Approve.*New inner tube/ }).click();
  await page.getByRole("button", { name: /Reject.*Polish/ }).click();
  await expect(page.getByText("₹479").first()).toBeVisible();
  await expect(page.getByText("Rejected")).toBeVisible();

  await mechanic.complete(id);
  await expect(guest.getByRole("heading", { name: "This link has ended" })).toBeVisible();
  await page.getByRole("button", { name: "Pay ₹479" }).click();
  const payments = async () =>
    (await customer.get<{ data: { status: string }[] }>(`/payments?job_id=${id}`)).data.map(({ status }) => status);
  await page.route("**/payments/orders", loseTheAnswer, { times: 1 });
  await page.getByRole("button", { name: "Pay online" }).click();
  await expect(page.getByRole("heading", { name: "Test payment" })).toBeVisible();
  expect(await payments()).toEqual(["created"]);
  await page.getByRole("button", { name: "The payment fails" }).click();
  await expect(page.getByText("The payment did not work.")).toBeVisible();
  await page.getByRole("button", { name: "Try to pay again" }).click();

  // The answer to the payment is lost: the money has moved once, and the page finds out.
  await page.route("**/sandbox/gateway/orders/*/pay", loseTheAnswer, { times: 1 });
  await page.getByRole("button", { name: "The payment works" }).click();
  await expect(page.getByText("Paid. Thank you.")).toBeVisible();
  expect((await payments()).filter((status) => status === "captured")).toHaveLength(1);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Receipt (PDF)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^roadcall-.*\.pdf$/);
  await page.getByRole("link", { name: "Back to the job" }).click();
  await page.locator(".stars label").nth(3).click();
  await page.getByText("Polite", { exact: true }).click();
  await page.getByRole("button", { name: "Send the rating" }).click();
  await expect(page.getByRole("img", { name: "4 stars" })).toBeVisible();
});

test("a phone that knows where it is is asked once", { tag: "@map" }, async ({ page, customer }) => {
  await newVehicle(customer);
  let asked = 0;
  await page.exposeFunction("hasAsked", () => (asked += 1));
  await page.addInitScript(() => {
    const { geolocation } = navigator;
    const watch = geolocation.watchPosition.bind(geolocation);
    geolocation.watchPosition = (...how) => {
      (window as unknown as { hasAsked: () => void }).hasAsked();
      return watch(...how);
    };
  });
  await page.goto("/customer/");
  await page.getByRole("button", { name: /Flat tyre/ }).click();
  await expect(page.getByText("This is your position.")).toBeVisible();
  // The map counts as drawn once nothing on it moves.
  await expect(page.getByRole("application")).toHaveAttribute("aria-busy", "false");
  expect(asked).toBe(1);
  await page.getByRole("button", { name: "Use my location" }).click();
  await expect.poll(() => asked).toBe(2);
});

test(
  "a pin that was set on a map of the city asks for a nearer look, and a place where nobody works says so",
  { tag: "@map" },
  async ({ page, customer }) => {
    await newVehicle(customer);
    await page.goto("/customer/");
    await page.getByRole("button", { name: /Flat tyre/ }).click();
    await expect(page.getByText("This is your position.")).toBeVisible();
    const map = page.getByRole("application");
    await expect(map).toHaveAttribute("aria-busy", "false");
    await map.locator("canvas").focus();
    for (let zoom = 16; zoom > 12; zoom -= 1) await page.keyboard.press("Minus");
    await expect(page.getByText("The mechanic comes to the pin.")).toBeVisible();
    await page.getByRole("button", { name: "Help me here" }).click();
    await expect(page.getByText("Put the pin where the vehicle is, then confirm.")).toBeVisible();
    await expect(page).toHaveURL(/\/request$/);
    // Now they can see the street.
    await page.getByRole("button", { name: "Help me here" }).click();
    await expect(page.getByRole("heading", { name: "Check and confirm" })).toBeVisible();

    // The place is in the middle of the sea.
    await page.route("**/jobs/estimate", async (route) => {
      const asked = route.request().postDataJSON() as object;
      await route.continue({ postData: { ...asked, pickup_lat: 5, pickup_lng: 85 } });
    });
    await page.reload();
    await expect(page.getByText("Our mechanics don't serve this area.", { exact: false })).toBeVisible();
    await expect(page.getByText(/mechanic should be with you|are busy/)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Ask anyway" })).not.toHaveClass(/primary/);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Change the place" }).click();
    await expect(page).toHaveURL(/\/request$/);
  },
);

test("a network that is cut at the confirmation makes exactly one job", async ({ context, page, customer }) => {
  await askFor(page, customer, /Towing/);
  await page.getByRole("radio", { name: "Decide with the mechanic" }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("button", { name: SEND })).toBeEnabled();

  // The request arrives, but its answer does not, and then there is no network at all.
  let isCut = false;
  await page.route("**/api/v1/jobs", async (route) => {
    if (route.request().method() !== "POST" || isCut) return route.fallback();
    isCut = true;
    await route.fetch();
    await context.setOffline(true);
    return route.abort("connectionreset");
  });
  await page.getByRole("button", { name: SEND }).click();
  await expect(page.getByText("No answer yet.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  expect(await openJobs(customer)).toHaveLength(1);

  // The app's start page leads straight to it.
  await page.goto("/customer/");
  await expect(page).toHaveURL(/\/jobs\//);
});

test("a request that was promised is waiting on the home page after the tab was killed, and goes out once", async ({
  context,
  page,
  customer,
}) => {
  await askFor(page, customer, /Flat battery/);
  const bringBack = await sendInVain(page);
  await page.close();
  expect(await openJobs(customer)).toHaveLength(0);

  const next = await context.newPage();
  await next.goto("/customer/");
  await expect(next.getByText("Your request is waiting")).toBeVisible();
  await expectAccessible(next);
  await bringBack();
  await expect(next.getByText("Your request is waiting")).toBeHidden();
  await expect.poll(async () => (await openJobs(customer)).length).toBe(1);
  await next.reload();
  await expect(next).toHaveURL(/\/jobs\//);
  expect(await openJobs(customer)).toHaveLength(1);
});

test("a request that waited too long is sent only if it is still wanted", async ({ page, customer }) => {
  await page.clock.install();
  await askFor(page, customer, /Flat battery/);
  const bringBack = await sendInVain(page);
  await page.clock.fastForward("06:00");
  await bringBack();
  await page.reload();
  await page.goto("/customer/");
  await expect(page.getByText("Do you still need help at the same place?", { exact: false })).toBeVisible();
  expect(await openJobs(customer)).toHaveLength(0);
  await page.getByRole("button", { name: "Send it now" }).click();
  await expect.poll(async () => (await openJobs(customer)).length).toBe(1);
});

test("a request that was written before a reload is still there, and sent once", async ({ page, customer }) => {
  await newVehicle(customer);
  await page.goto("/customer/");
  await page.getByRole("button", { name: /Flat battery/ }).click();
  await page.getByLabel(/Describe the place/).fill("Behind the temple");
  await page.getByRole("button", { name: "Help me here" }).click();
  await page.getByText("Describe it, add photos").click();
  await page.getByLabel("What should the mechanic know?").fill("Red scooter");
  await page.reload();
  await expect(page.getByText("Behind the temple")).toBeVisible();
  await expect(page.getByLabel("What should the mechanic know?")).toHaveValue("Red scooter");
  // A busy service is not asked again before the time that it gives, unless the person does so.
  let asked = 0;
  await page.route("**/api/v1/jobs", (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    asked += 1;
    return route.fulfill({
      status: 503,
      headers: { "retry-after": "120" },
      json: { success: false, error: { code: "UNAVAILABLE", message: "The service is busy." } },
    });
  });
  await page.getByRole("button", { name: SEND }).click();
  await expect(page.getByRole("alert")).toContainText("Try again in 2 minutes");
  expect(asked).toBe(1);
  await page.unroute("**/api/v1/jobs");
  await page.getByRole("button", { name: SEND }).click();
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  const [job, ...others] = await openJobs(customer);
  expect(others).toHaveLength(0);
  expect(job).toMatchObject({ description: "Red scooter", pickup_address: "Behind the temple" });
});

test("what happened without a network is on the page as soon as it is back", async ({
  context,
  page,
  customer,
  service,
}) => {
  const mechanic = await mechanicAt(service, 800);
  const job = await newJob(customer, await newVehicle(customer), HERE);
  const accepted = await mechanic.accept(job.id);
  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("No connection. What you see may be out of date.")).toBeVisible();
  await mechanic.setOut(job.id);
  await mechanic.arrive(accepted);
  const { start_code } = await customer.get<{ start_code: string }>(`/jobs/${job.id}`);
  await mechanic.start(job.id, start_code);
  await mechanic.propose(job.id, "Spark plug", 120);
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Ravi is working on your vehicle" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Approve.*Spark plug/ })).toHaveCount(1);
  await expect(page.getByText("No connection. What you see may be out of date.")).toHaveCount(0);
});

test("the fee for cancelling is shown before, shown again if it has changed, and paid", async ({
  page,
  customer,
  service,
}) => {
  // So near that their position proves the arrival: an arrival by a reason alone costs nothing more.
  const mechanic = await mechanicAt(service, 10);
  const job = await newJob(customer, await newVehicle(customer), HERE);
  const accepted = await mechanic.accept(job.id);
  await page.goto(`/customer/jobs/${job.id}`);
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await expect(page.getByText("₹50 because the mechanic is already coming to you.")).toBeVisible();
  await page.getByLabel("I found other help").check();
  // The mechanic has arrived by the time the button's request does, which costs more.
  await page.route(
    "**/cancel",
    async (route) => {
      await mechanic.setOut(job.id);
      await mechanic.arrive(accepted);
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Cancel for ₹50" }).click();
  await expect(page.getByText("The fee has changed while you were looking.")).toBeVisible();
  await expect(page.getByText("₹150 because the mechanic has already arrived.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel for ₹150" }).click();
  await expect(page.getByText("The cancellation fee is ₹150.")).toBeVisible();
  const over = await customer.get<object>(`/jobs/${job.id}`);
  expect(over).toMatchObject({ status: "cancelled", cancel_reason_code: "found_other_help", cancellation_fee: 150 });

  await page.getByRole("link", { name: "See your unpaid fees" }).click();
  await expect(page.getByText("₹150").first()).toBeVisible();
  await page.getByRole("button", { name: "Pay online" }).click();
  await page.getByRole("button", { name: "The payment works" }).click();
  await expect(page.getByText("Paid. Thank you.")).toBeVisible();
  expect(await customer.get("/payments/unpaid-fees")).toMatchObject({ data: [] });
  await mechanic.goOffline();
});

test("cash is confirmed by both sides, and what went wrong is disputed with a photo", async ({
  context,
  page,
  customer,
  service,
}) => {
  const mechanic = await mechanicAt(service, 800);
  const missing: string[] = [];
  page.on("response", (response) => response.status() === 404 && missing.push(response.url()));
  const job = await newJob(customer, await newVehicle(customer), HERE);
  await mechanic.doJob(customer, job.id);
  await page.goto(`/customer/jobs/${job.id}`);
  await page.getByRole("button", { name: "Pay ₹299" }).click();
  // The answers are lost twice: the page finds out, and nothing is created twice.
  await page.route("**/payments/orders", loseTheAnswer, { times: 1 });
  await page.getByRole("button", { name: "Pay the mechanic in cash" }).click();
  await page.route("**/cash-confirm", loseTheAnswer, { times: 1 });
  await page.getByRole("button", { name: "I gave ₹299" }).click();
  await expect(page.getByText("Now the mechanic confirms")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  const { data } = await mechanic.person.get<{ data: { id: string; amount: number }[] }>(`/payments?job_id=${job.id}`);
  expect(data).toHaveLength(1);
  await mechanic.person.post(`/payments/${data[0]?.id}/cash-confirm`, { amount: data[0]?.amount });
  await expect(page.getByText("Paid in cash. Thank you.")).toBeVisible();

  await page.getByRole("link", { name: "Back to the job" }).click();
  await page.getByRole("link", { name: "Is something wrong with the work or the price?" }).click();
  await page.getByLabel("Something was damaged").check();
  await page.getByLabel("What happened?").fill("The rim is bent.");
  await page
    .locator('input[type="file"]')
    .last()
    .setInputFiles({ name: "rim.jpg", mimeType: "image/jpeg", buffer: await page.screenshot({ type: "jpeg" }) });
  await expect(page.getByRole("img", { name: "Photo 1" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toHaveAttribute("aria-busy", "false");
  // A photo that can't be sent is removed again.
  await context.setOffline(true);
  await page
    .locator('input[type="file"]')
    .last()
    .setInputFiles({ name: "road.jpg", mimeType: "image/jpeg", buffer: await page.screenshot({ type: "jpeg" }) });
  await page.getByRole("button", { name: "Remove photo 2" }).click();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("We have your report and are looking into it.")).toBeVisible();
  await page.getByRole("button", { name: "Open Evidence" }).click();
  const photo = page.getByRole("dialog").getByRole("img");
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(360);
  const dispute = await mechanic.person.get<object>(`/jobs/${job.id}/dispute`);
  expect(dispute).toMatchObject({
    reason_code: "damage",
    description: "The rim is bent.",
    evidence_urls: [expect.stringContaining("/uploads/")],
  });
  // The price that the customer pays after a split, not the reduction.
  await (
    await newAdmin(service)
  ).post(`/admin/jobs/${job.id}/resolve`, { outcome: "split", price_reduction: 100, note: "Half of it is right." });
  const decided = await mechanic.person.get<{ price_after: number; final_price: number }>(`/jobs/${job.id}/dispute`);
  expect(decided.price_after).toBe(decided.final_price - 100);
  await page.reload();
  await expect(
    page.getByText(`Decided: you pay ₹${decided.price_after} instead of ₹${decided.final_price}.`),
  ).toBeVisible();
  expect(missing).toEqual([]);
  await mechanic.goOffline();
});

test("without a mechanic the customer asks for a call, searches again, then corrects the details", async ({
  page,
  customer,
  service,
}) => {
  const admin = await newAdmin(service);
  const { id: category } = await admin.post<{ id: string }>("/service-categories", {
    name: "Chain repair",
    slug: "chain-repair",
    base_price: 199,
    per_km_price: 10,
    estimated_duration_min: 20,
    vehicle_types: ["two_wheeler"],
    offer_ttl_s: 15,
    attempt_ttl_s: 15,
  });
  const { id } = await newJob(customer, await newVehicle(customer), HERE, { service_category_id: category });
  const job = () => customer.get<Record<string, unknown>>(`/jobs/${id}`);
  await page.goto(`/customer/jobs/${id}`);
  await page.getByRole("button", { name: "Ask us to call you" }).click();
  await page.getByLabel("What is it about?").fill("The road is closed");
  await page.getByRole("button", { name: "Ask for a call" }).click();
  await expect(page.getByText("We will call you.")).toBeVisible();
  expect(await job()).toMatchObject({ callback: { note: "The road is closed", done_at: null } });
  await page.getByRole("button", { name: "No call needed" }).click();
  await expect(page.getByRole("button", { name: "Ask us to call you" })).toBeVisible();
  expect(await job()).toMatchObject({ callback: null });
  await expect(page.getByRole("heading", { name: "No mechanic found" })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText("In danger, or if somebody is hurt, call 108.")).toBeVisible();

  const mechanic = await Mechanic.register(service, admin, "Ravi", north(HERE, 800));
  await mechanic.goOnline();
  await page.route("**/retry", loseTheAnswer, { times: 1 });
  await page.getByRole("button", { name: "Search again" }).click();
  await mechanic.accept(id);
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();

  await page.getByRole("button", { name: "Correct details" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Place", { exact: true }).fill("Behind the temple");
  await dialog.getByLabel("What should the mechanic know?").fill("The chain is off");
  await dialog.getByLabel("Name of the person with the vehicle").fill("Meera");
  await dialog.getByLabel("Their phone number").fill("12");
  await dialog.getByLabel("The mechanic should call").selectOption("The person with the vehicle");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Enter a valid phone number.")).toBeVisible();
  await dialog.getByLabel("Their phone number").fill("+91 98765 43210");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  expect(await job()).toMatchObject({
    pickup_address: "Behind the temple",
    description: "The chain is off",
    beneficiary_name: "Meera",
    beneficiary_phone: "+919876543210",
    contact_preference: "beneficiary",
  });

  // Once the mechanic is on the way, the customer can only write to them.
  await page.getByRole("button", { name: "Correct details" }).click();
  await dialog.getByLabel("Place", { exact: true }).fill("In front of the temple");
  await page.route("**/api/v1/jobs/*", async (route) => {
    if (route.request().method() === "PATCH") await mechanic.setOut(id);
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The mechanic is already on the way. Write to them instead.")).toBeVisible();
  await admin.patch(`/service-categories/${category}`, { is_active: false });
  await mechanic.goOffline();
});

test("in an accident the emergency number is first; typed text stays; a wrong field is shown above the bar", async ({
  page,
  customer,
}) => {
  await newVehicle(customer);
  await page.goto("/customer/");
  await expect(page.getByRole("link", { name: /hurt or in danger/ })).toHaveAttribute("href", "tel:108");
  await page.getByRole("button", { name: /Flat tyre/ }).click();
  await page.getByRole("button", { name: "Help me here" }).click();
  await page.getByRole("radio", { name: "Accident" }).check();
  await expect(page.getByRole("link", { name: "Call 108" })).toHaveAttribute("href", "tel:108");
  await expect(page.getByText("Don't move anybody who is hurt", { exact: false })).toBeVisible();
  await expect(page.getByRole("link", { name: "Call 108" })).toBeInViewport();
  await expectAccessible(page);

  await page.getByText("Describe it, add photos").click();
  const description = page.getByLabel("What should the mechanic know?");
  await description.fill("The wheel is off");
  await description.fill("");
  // Nothing folds up by itself.
  await expect(description).toBeVisible();
  await description.fill("The wheel is off");
  await page.reload();
  await expect(description).toHaveValue("The wheel is off");

  await page.getByText("For somebody else").click();
  await page.getByLabel("Somebody else is with the vehicle").check();
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole("button", { name: SEND }).click();
  const name = page.getByLabel("Name of the person with the vehicle");
  await expect(name).toBeFocused();
  const [field, bar] = [await name.boundingBox(), await page.locator(".page > .foot").boundingBox()];
  expect((field?.y ?? Infinity) + (field?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  expect(field?.y ?? -1).toBeGreaterThanOrEqual(0);
  await name.fill("Meera");
  await page.getByRole("button", { name: SEND }).click();
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Call 108" })).toBeVisible();
});

test("wrong inputs are named where they are", async ({ page, customer }) => {
  await page.goto("/customer/vehicles/new");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Please fill this in.")).toHaveCount(3);
  await page.getByLabel("Make").fill("Bajaj");
  await page.getByLabel("Model").fill("Pulsar");
  await page.getByLabel("Number plate").fill("!");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Use 2 to 15 letters and digits.")).toBeVisible();
  await page.getByLabel("Number plate").fill("ka 05 mk 77");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("KA05MK77")).toBeVisible();

  const { data } = await customer.get<{ data: { id: string }[] }>("/vehicles");
  const own = data[0];
  if (!own) throw new Error("the vehicle was not saved");
  await customer.post("/jobs", {
    vehicle_id: own.id,
    service_category_id: "018f0000-0000-7000-8000-000000000001",
    pickup_lat: HERE.lat,
    pickup_lng: HERE.lng,
    pickup_address: "Here",
  });
  await page.goto(`/customer/vehicles/${own.id}`);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("This vehicle has an open job.")).toBeVisible();

  // The vehicle's open job is offered instead of a second one.
  await page.goto("/customer/history");
  await page.getByRole("link", { name: "Help", exact: true }).click();
  await page.getByRole("button", { name: /Flat tyre/ }).click();
  await page.getByRole("button", { name: "Help me here" }).click();
  await page.getByRole("button", { name: SEND }).click();
  await page.getByRole("link", { name: "Show the open job" }).click();
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  expect(await openJobs(customer)).toHaveLength(1);
});

test("a keyboard is enough for a call for help", async ({ page, customer }) => {
  await newVehicle(customer);
  await page.goto("/customer/");
  await expect(page.getByRole("button", { name: /Flat tyre/ })).toBeVisible();
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => document.activeElement?.textContent ?? "");
      if (name.test(focused)) return;
    }
    throw new Error(`${String(name)} can't be reached by Tab`);
  };
  await tabTo(/Flat tyre/);
  await page.keyboard.press("Enter");
  await expect(page.getByText("This is your position.")).toBeVisible();
  await expect(page.locator("h1")).toBeFocused();
  await tabTo(/Help me here/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: SEND })).toBeEnabled();
  await tabTo(SEND);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  await tabTo(/Cancel the job/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByText("This costs nothing.")).toBeVisible();
  // No reason is preselected.
  await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
  await tabTo(/Cancel free of charge/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Choose a reason");
  await page.keyboard.press("Space");
  await tabTo(/Cancel free of charge/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Cancelled" })).toBeVisible();
  await until("the cancellation", async () => {
    const [job] = await customer.get<{ data: { status: string }[] }>("/jobs?role=customer").then(({ data }) => data);
    return job?.status === "cancelled";
  });
});

test("the installed app starts without a network, with the last known job as old and what was written before", async ({
  context,
  page,
  customer,
  service,
}) => {
  const mechanic = await mechanicAt(service, 800);
  const job = await newJob(customer, await newVehicle(customer), HERE);
  await mechanic.accept(job.id);
  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await until("the worker's files", () =>
    page.evaluate(async () => navigator.serviceWorker.controller && (await caches.keys()).length > 0),
  );
  await page.getByRole("button", { name: "Message", exact: true }).click();
  const message = page.getByRole("textbox", { name: "Write a message" });
  await expect(message).toBeVisible();
  await context.setOffline(true);
  await message.fill("The gate is blue");
  await message.press("Enter");
  await expect(page.getByText("Waiting for a connection")).toBeVisible();
  await page.goto("/customer/");
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await expect(page.getByText(/As of/)).toBeVisible();
  await mechanic.setOut(job.id);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Ravi is on the way" })).toBeVisible();
  await expect(page.getByText(/As of/)).toHaveCount(0);
  // A message written before the app was reopened arrives once.
  const written = async () =>
    (await mechanic.person.get<{ data: { body: string }[] }>(`/jobs/${job.id}/messages`)).data.map(({ body }) => body);
  await expect.poll(written).toEqual(["The gate is blue"]);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("roadcall-unsent-/customer/")))
    .not.toContain("blue");
  await mechanic.goOffline();
});

test("signing out leaves nothing of the person on the device", async ({ page, customer }) => {
  const vehicle = await newVehicle(customer);
  const job = await newJob(customer, vehicle, HERE);
  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  await page.evaluate(() => localStorage.setItem("roadcall-unsent-/customer/", "{}"));
  await page.goto("/customer/account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).not.toContain(job.id);
  expect(kept).not.toContain(vehicle.registration_number);
  expect(kept).not.toContain("roadcall-unsent");
});

test("two tabs make one job, show each other's jobs, and are signed out together", async ({
  context,
  page,
  customer,
}) => {
  await newVehicle(customer);
  const other = await context.newPage();
  const ask = async () => {
    await page.getByRole("button", { name: /Flat tyre/ }).click();
    await page.getByRole("button", { name: "Help me here" }).click();
  };
  await page.goto("/customer/");
  await ask();
  await other.goto("/customer/request/price");
  const confirms = [page, other].map((tab) => tab.getByRole("button", { name: SEND }));
  for (const confirm of confirms) await expect(confirm).toBeEnabled();
  await Promise.all(confirms.map((confirm) => confirm.click()));
  for (const tab of [page, other])
    await expect(tab.getByRole("heading", { name: "Looking for a mechanic" })).toBeVisible();
  expect(other.url()).toBe(page.url());
  expect(await openJobs(customer)).toHaveLength(1);

  await page.getByRole("button", { name: "Cancel the job" }).click();
  await page.getByLabel("I don't need help any more").check();
  await page.getByRole("button", { name: "Cancel free of charge" }).click();
  await expect(other.getByRole("heading", { name: "Cancelled" })).toBeVisible();
  await other.getByRole("link", { name: "Back" }).click();
  await expect(other.getByRole("heading", { name: "What happened?" })).toBeVisible();
  await page.getByRole("button", { name: "Ask for help again" }).click();
  await ask();
  await page.getByRole("button", { name: SEND }).click();
  await expect(other.getByRole("link", { name: /Flat tyre.*Searching/ })).toBeVisible();

  await page.goto("/customer/account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  for (const tab of [page, other]) await expect(tab.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a session goes on when its token is no longer taken, over HTTP and on the socket", async ({
  context,
  page,
  customer,
  service,
}) => {
  const mechanic = await mechanicAt(service, 800);
  const job = await newJob(customer, await newVehicle(customer), HERE);
  await mechanic.accept(job.id);
  // The service refuses the page's requests until it has a new token, as it does once the old one has expired. (Two
  // tokens of the same second are identical.)
  let isExpired = false;
  const sent: string[] = [];
  await page.route("**/api/v1/**", async (route) => {
    const path = new URL(route.request().url()).pathname.slice("/api/v1".length);
    const headers = await route.request().allHeaders();
    if (path === "/auth/refresh") isExpired = false;
    const isRefused = isExpired && headers["authorization"] !== undefined;
    if (isRefused) headers["authorization"] += "x";
    sent.push(isRefused ? `${path} refused` : path);
    await route.continue({ headers });
  });
  const expire = () => {
    sent.length = 0;
    isExpired = true;
  };
  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expire();
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await expect(page.getByRole("button", { name: "Cancel for ₹50" })).toBeVisible();
  expect(sent.filter((path) => path.endsWith("cancellation-quote refused"))).not.toEqual([]);
  expect(sent.filter((path) => path === "/auth/refresh")).toHaveLength(1);
  await page.getByRole("button", { name: "Keep the job" }).click();

  expire();
  await context.setOffline(true);
  await expect(page.getByText("No connection. What you see may be out of date.")).toBeVisible();
  await mechanic.setOut(job.id);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Ravi is on the way" })).toBeVisible();
  await mechanic.arrive(job);
  await expect(page.getByRole("heading", { name: "Ravi has arrived" })).toBeVisible();
  expect(sent).toContain("/ws/ticket refused");
  expect(sent.filter((path) => path === "/auth/refresh")).toHaveLength(1);
  await mechanic.goOffline();
});

test("a suspended customer sees so in words, and their mechanic still comes", async ({ page, customer, service }) => {
  const admin = await newAdmin(service);
  const mechanic = await Mechanic.register(service, admin, "Ravi", north(HERE, 800));
  await mechanic.goOnline();
  const job = await newJob(customer, await newVehicle(customer), HERE);
  const accepted = await mechanic.accept(job.id);
  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
  await admin.post(`/admin/users/${customer.userId}/suspend`, { reason: "A complaint is being looked at" });
  await expect(page.getByText("Your account is suspended. Contact support.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Your account is suspended. Contact support.")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Call support/ })).toHaveAttribute("href", "tel:+918012345678");
  await expect(page.getByRole("link", { name: /^Write to support/ })).toHaveAttribute(
    "href",
    "mailto:help@example.com",
  );
  await expectAccessible(page);

  await mechanic.setOut(job.id);
  await mechanic.arrive(accepted);
  await admin.post(`/admin/users/${customer.userId}/reinstate`);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Ravi has arrived" })).toBeVisible();
  await mechanic.goOffline();
});
