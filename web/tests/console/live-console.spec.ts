// The dispatch console in a browser, on a separate service: a dispatcher's day in short.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Schemas } from "../support/examples";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import {
  ADMIN_PASSWORD,
  FLAT_TYRE,
  Mechanic,
  newAdmin,
  newJob,
  newPhone,
  newVehicle,
  north,
  signIn,
  type Person,
  type Place,
} from "../support/people";
import { Service } from "../support/service";
import { scan } from "../support/scan";
import { expect, test } from "../support/test";
import { codeOf } from "../support/totp";
import { signInConsole } from "./live-support";

/** Each test has its own part of the world, so that its jobs are not offered to another test's mechanics. */
const places = {
  follow: { lat: 12.97, lng: 77.59 },
  assign: { lat: 15.36, lng: 75.12 },
  cancel: { lat: 17.38, lng: 78.48 },
  map: { lat: 19.07, lng: 72.87 },
  nobody: { lat: 9.93, lng: 76.26 },
  gone: { lat: 30.73, lng: 76.78 },
  nowhere: { lat: 26.9, lng: 70.9 },
  crowded: { lat: 22.57, lng: 88.36 },
  counted: { lat: 21.15, lng: 79.09 },
};

let admin: Person;
test.beforeAll(async ({ service }) => {
  admin = await newAdmin(service);
});

async function customerWithJob(
  service: Parameters<typeof signIn>[0],
  name: string,
  at: Place,
): Promise<{ customer: Person; job: Schemas["Job"] }> {
  const customer = await signIn(service, name);
  return { customer, job: await newJob(customer, await newVehicle(customer), at) };
}

const status = (page: Page) => page.locator("header .badge").first();

test("an admin signs in with the keyboard; a wrong password and a customer's session are refused in words", async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/console/`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Email").fill(admin.phone);
  await page.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("The email or the password is wrong");
  await page.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Pages", exact: true })).toBeVisible();
  await expect(page.getByRole("status", { name: "The connection to the service" })).toHaveText("Live");
  // The session survives a reload, and ends with the sign-out.
  await page.reload();
  await page.getByRole("link", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a second factor is set up on the account page, and asked for from then on", async ({ page, service }) => {
  const own = await newAdmin(service);
  await signInConsole(page, service, own, "/account");
  await page.getByLabel("Email").fill(own.phone);
  await page.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Set it up" }).click();
  const secret = await page.locator(".secret").innerText();
  const scanned = await scan(page.getByRole("img", { name: "The key, to scan" }));
  expect(new URL(scanned).searchParams.get("secret"), scanned).toBe(secret.replaceAll(" ", ""));
  const wrong = () => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, "0");
  await expectAccessible(page);
  await page.getByLabel("Code").fill(wrong());
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("alert")).toContainText("does not match");
  await page.getByLabel("Code").fill(codeOf(secret));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your account asks for a code")).toBeVisible();

  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByLabel("Email").fill(own.phone);
  await page.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Code")).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type(wrong());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText(/code/i);
  // Each code is valid once: this is the next one.
  await page.getByLabel("Code").fill(codeOf(secret, 1));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Pages", exact: true })).toBeVisible();
});

test("the header, the map's buttons and the board count the same", async ({ page, service }) => {
  const mechanic = await Mechanic.register(service, admin, "Omkar Joshi", places.counted);
  await mechanic.goOnline();
  await signInConsole(page, service, admin);
  const filters = page.getByRole("group", { name: "Filters" });
  await expect(filters.getByRole("button", { name: /[1-9]\d* free/ })).toBeVisible();
  // Read at one moment: other tests' jobs come and go.
  const counts = () =>
    page.evaluate(() => {
      const read = (selector: string) =>
        [...document.querySelectorAll(selector)]
          .map((one) => one.textContent.replace(/\s+/g, " ").trim())
          .filter((text) => /with(out)? a mechanic/.test(text));
      return { header: read("header a"), map: read("[aria-label=Filters] button") };
    });
  await expect(async () => {
    const { header, map } = await counts();
    expect(header).toHaveLength(2);
    expect(map).toEqual(header);
    expect(header[0]).toMatch(/^\d+ without/);
  }).toPass();
  const concerns = page.getByRole("banner").getByRole("link", { name: /concern/ });
  await concerns.click();
  await expect(page.getByRole("combobox", { name: "Alarms" })).toHaveValue("concern");
  await expect(async () => {
    const [, count] = /(\d+)/.exec(await concerns.innerText()) ?? [];
    await expect(page.getByRole("main").locator("a.card")).toHaveCount(Number(count), { timeout: 1_000 });
  }).toPass();
  await mechanic.goOffline();
});

test("a refused token ends no session, on no socket; signing out ends it in every tab; suspension says so", async ({
  page,
  service,
  context,
}) => {
  const own = await newAdmin(service);
  const refused = { requests: 0, tickets: 0 };
  const expired = {
    status: 401,
    json: { success: false, error: { code: "TOKEN_EXPIRED", message: "The token has expired." } },
  };
  await page.route("**/admin/live", (route) =>
    (refused.requests += 1) === 1 ? route.fulfill(expired) : route.continue(),
  );
  await page.route("**/ws/ticket", (route) =>
    (refused.tickets += 1) === 1 ? route.fulfill(expired) : route.continue(),
  );
  await signInConsole(page, service, own);
  const link = page.getByRole("status", { name: "The connection to the service" });
  await expect(link).toHaveText("Live");
  await expect(page.getByRole("link", { name: /without a mechanic/ })).toBeVisible();
  await expect(page.getByRole("group", { name: "Filters" })).not.toContainText("–");
  expect(Math.min(refused.requests, refused.tickets)).toBeGreaterThan(1);

  const other = await context.newPage();
  await other.goto(`${service.url}/console/account`);
  await other.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await other.close();

  await signInConsole(page, service, own);
  await expect(link).toHaveText("Live");
  await admin.post(`/admin/users/${own.userId}/suspend`, { reason: "On leave" });
  await expect(page.getByText("Your account was suspended.", { exact: false })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a page whose code is gone after an installation comes with a reload, which is not repeated without end", async ({
  page,
  service,
}) => {
  await signInConsole(page, service, admin);
  let loads = 0;
  page.on("request", (request) => (loads += Number(request.isNavigationRequest())));
  await page.route(/\/assets\/JobsPage-.*\.js$/, (route) =>
    loads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: /^Jobs/ }).click();
  await expect(page.getByRole("heading", { name: "Jobs", exact: true })).toBeVisible();
  expect(loads).toBe(1);

  const roster = /\/assets\/RosterPage-.*\.js$/;
  await page.route(roster, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${service.url}/console/roster`);
  await expect(page.getByRole("heading", { name: "A newer version was installed" })).toBeVisible();
  await expectAccessible(page);
  expect(loads).toBe(2);
  await page.unroute(roster);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Roster" })).toBeVisible();
});

test("an invitation's link makes an account, and its second use says so", async ({ page, service }) => {
  const invited = await admin.post<{ token: string }>("/super-admin/invites", {
    email: `${randomUUID()}@example.com`,
    role: "admin",
  });
  await page.goto(`${service.url}/console/invite#${invited.token}`);
  await page.getByLabel("Password").fill("nine lanterns on a quiet road");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Pages", exact: true })).toBeVisible();
  await page.goto(`${service.url}/console/invite#${invited.token}`);
  await page.getByLabel("Password").fill("nine lanterns on a quiet road");
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(/no longer valid|not an invitation/);
});

test("a job's page follows it from the call to the payment", async ({ page, service }) => {
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", north(places.follow, 900));
  await mechanic.goOnline();
  const { customer, job } = await customerWithJob(service, "Asha Rao", places.follow);
  await signInConsole(page, service, admin, `/jobs/${job.id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Flat tyre, Asha Rao" })).toBeVisible();
  await expect(page.getByRole("link", { name: customer.phone })).toBeVisible();
  const accepted = await mechanic.accept(job.id);
  await expect(status(page)).toHaveText("Accepted");
  await mechanic.setOut(job.id);
  await mechanic.move(north(places.follow, 300));
  await page.getByRole("button", { name: "Where the mechanic is" }).click();
  await expect(page.getByText(/to go/)).toBeVisible();
  await mechanic.arrive(accepted);
  const { start_code } = await customer.get<Schemas["Job"]>(`/jobs/${job.id}`);
  await mechanic.start(job.id, start_code ?? "");
  await expect(status(page)).toHaveText("Being worked on");
  const item = await mechanic.propose(job.id, "New tube", 250);
  await expect(page.getByText("Item proposed: New tube")).toBeVisible();
  await customer.post(`/jobs/${job.id}/line-items/${item.id}/approve`, { version: item.version });
  await customer.write(job.id, "<b>Thank you</b>");
  // People's input is shown as text.
  await expect(page.getByText("<b>Thank you</b>")).toBeVisible();
  await mechanic.complete(job.id);
  await expect(status(page)).toHaveText("To be paid");
  const order = await customer.post<Schemas["OrderMade"]>("/payments/orders", { job_id: job.id, method: "cash" });
  for (const side of [customer, mechanic.person])
    await side.post(`/payments/${order.payment_id}/cash-confirm`, { amount: order.amount });
  await expect(status(page)).toHaveText("Paid");
  const timeline = page.getByRole("region", { name: "Timeline" });
  for (const line of [
    "The customer called for help",
    "A mechanic accepted",
    "The work began",
    "The work ended: fixed",
    "Paid",
  ])
    await expect(timeline).toContainText(line);
  await expect(page.getByRole("region", { name: "Money" })).toContainText("Captured");
  // The explanation of the choice: as steps, text and a table.
  await page.keyboard.press("2");
  await expect(page.getByText(/Round 1 looked .* km around the pickup/)).toBeVisible();
  const row = page
    .getByRole("table", { name: "Mechanics who were considered in this step" })
    .getByRole("row", { name: /Ravi/ });
  await expect(row).toContainText("Accepted");
  await row.press("Enter");
  await expect(page.getByText("What Ravi costs, in time")).toBeVisible();
  await expectAccessible(page);
});

test("a job that dispatch can't place is assigned by hand, with a reason where the rules ask for one", async ({
  page,
  service,
}) => {
  const { job } = await customerWithJob(service, "Dev Menon", places.assign);
  const mechanic = await Mechanic.register(service, admin, "Girish Patil", north(places.assign, 25_000));
  await mechanic.person.patch("/mechanics/me", { service_radius_km: 1 });
  await mechanic.goOnline();
  await signInConsole(page, service, admin, `/jobs/${job.id}`);
  await expect(status(page)).toHaveText("Searching");
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Assign a mechanic" });
  await expect(dialog.getByRole("button", { name: /Girish Patil/ })).toContainText("Needs a reason");
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("farther than they are willing to come");
  await expect(dialog.getByRole("button", { name: "Assign to Girish Patil" })).toBeDisabled();
  await dialog.getByLabel("Why nevertheless").fill("Agreed on the phone");
  // The service assigns it, but its answer is lost.
  await page.route("**/assign", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText("Accepted");
  await expect(page.getByText("This changed while you were looking.", { exact: false })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Agreed on the phone");
  // The job is taken away again.
  await page.getByRole("button", { name: "Take from the mechanic" }).click();
  await page.getByLabel("Reason").fill("Cannot come after all");
  await page.getByRole("button", { name: "Take it and search again" }).click();
  await expect(status(page)).toHaveText("Searching");
});

test("a job that nobody was found for is searched for again, and assigned", async ({ page, service }) => {
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
  const customer = await signIn(service, "Nila George");
  const job = await newJob(customer, await newVehicle(customer), places.nobody, { service_category_id: category });
  await signInConsole(page, service, admin, `/jobs/${job.id}`);
  await expect(status(page)).toHaveText("No mechanic found", { timeout: 120_000 });
  await expect(page.getByText("Search again, or assign one by hand", { exact: false })).toBeVisible();
  await page.keyboard.press("s");
  await page.getByRole("dialog", { name: "Search again" }).getByRole("button", { name: "Search again" }).click();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("The search began again, by an admin");
  await expect(status(page)).toHaveText("No mechanic found", { timeout: 120_000 });
  const mechanic = await Mechanic.register(service, admin, "Biju Nair", north(places.nobody, 25_000));
  await mechanic.person.patch("/mechanics/me", { service_radius_km: 1 });
  await mechanic.goOnline();
  // Assigning starts the search that it needs, but only once a mechanic is chosen: opening the dialog changes nothing.
  const searches: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/retry")) searches.push(request.url());
  });
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Assign a mechanic" });
  await expect(dialog.getByRole("button", { name: /Biju Nair/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(status(page)).toHaveText("No mechanic found");
  expect(searches).toEqual([]);
  await page.keyboard.press("a");
  await dialog.getByRole("button", { name: /Biju Nair/ }).click();
  await dialog.getByLabel("Why nevertheless").fill("Agreed on the phone");
  await dialog.getByRole("button", { name: "Assign to Biju Nair" }).click();
  await expect(status(page)).toHaveText("Accepted");
  await admin.patch(`/service-categories/${category}`, { is_active: false });
});

test(
  "the live map sees a job's end, keeps the other jobs in sight after a click, and leads back to all",
  { tag: "@map" },
  async ({ page, service }) => {
    const { customer, job } = await customerWithJob(service, "Harpreet Gill", places.gone);
    await customerWithJob(service, "Simran Kaur", north(places.gone, 60_000));
    await customerWithJob(service, "Amrit Sandhu", north(places.gone, 120_000));
    await page.addInitScript((view) => sessionStorage.setItem("roadcall-console-view", JSON.stringify(view)), {
      ...places.gone,
      zoom: 13,
    });
    await signInConsole(page, service, admin);
    const near = page.getByRole("button", { name: /Flat tyre.*Harpreet Gill/ });
    const far = page.getByRole("button", { name: /Flat tyre.*Simran Kaur/ });
    await expect(far).toBeVisible();
    await far.click();
    await expect(near).toBeVisible();
    await near.click();
    const side = page.getByRole("complementary", { name: "Chosen on the map" });
    await expect(side.locator(".badge")).toHaveText("Searching");
    await customer.post(`/jobs/${job.id}/cancel`, { reason_code: "changed_mind" });
    await expect(side.locator(".badge")).toHaveText("Cancelled");
    await expect(near).toBeHidden();
    await page.getByRole("button", { name: "Show all jobs" }).click();
    await expect(far).toBeVisible();
    await expect
      .poll(() =>
        page.evaluate(
          () => (JSON.parse(sessionStorage.getItem("roadcall-console-view") ?? "{}") as { zoom: number }).zoom,
        ),
      )
      .toBeLessThan(12);
  },
);

test(
  "the live map begins with all open jobs in sight, or with the one that a link names",
  { tag: "@map" },
  async ({ page, service }) => {
    const { job } = await customerWithJob(service, "Jasleen Bedi", north(places.gone, 200_000));
    await customerWithJob(service, "Kulwant Rai", north(places.gone, 320_000));
    const view = () =>
      page.evaluate(
        () =>
          JSON.parse(sessionStorage.getItem("roadcall-console-view") ?? "{}") as {
            lat: number;
            lng: number;
            zoom: number;
          },
      );
    await signInConsole(page, service, admin);
    // Two jobs more than a hundred kilometres apart, and all other open ones.
    await expect.poll(async () => (await view()).zoom).toBeLessThan(11);
    await page.goto(`${service.url}/console/?job=${job.id}`);
    await expect.poll(async () => Math.round((await view()).lat * 100)).toBe(Math.round(job.pickup_lat * 100));
    expect((await view()).zoom).toBeGreaterThanOrEqual(12);
    // The map returns to its last position.
    await page.goto(`${service.url}/console/jobs`);
    await page.goto(`${service.url}/console/`);
    await expect(page.getByRole("button", { name: /Flat tyre.*Kulwant Rai/ })).toBeVisible();
    expect(Math.round((await view()).lat * 100)).toBe(Math.round(job.pickup_lat * 100));
  },
);

test("cancelling says what it costs before it is done", async ({ page, service }) => {
  const mechanic = await Mechanic.register(service, admin, "Imran Pasha", north(places.cancel, 500));
  await mechanic.goOnline();
  const { job } = await customerWithJob(service, "Indu Pillai", places.cancel);
  await mechanic.accept(job.id);
  await mechanic.setOut(job.id);
  await signInConsole(page, service, admin, `/jobs/${job.id}`);
  await expect(status(page)).toHaveText("On the way");
  await page.keyboard.press("x");
  const dialog = page.getByRole("dialog", { name: "Cancel the job" });
  await expect(dialog).toContainText(/costs Indu Pillai nothing|Indu Pillai owes/);
  await expect(dialog.getByRole("button", { name: "Cancel the job" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("Called twice, nobody there");
  await expect(dialog.getByRole("button", { name: "Cancel the job" })).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText("Cancelled");
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Cancelled by an admin");
});

test("a caller's job is made with the keyboard alone", async ({ page, service }) => {
  await signInConsole(page, service, admin, "/jobs");
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { level: 1, name: "New job" })).toBeVisible();
  const phone = newPhone();
  await expect(page.getByLabel("Phone number of the caller")).toBeFocused();
  await page.keyboard.type(phone.slice(3));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Lata Iyer");
  await page.keyboard.press("Enter");
  await page.getByLabel("Plate").focus();
  await page.keyboard.type("KA01AB1234");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Hero");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Splendor");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Address, as the mechanic should read it")).toBeFocused();
  await page.keyboard.type("Near the old fort");
  await page.keyboard.press("Tab");
  await page.keyboard.type(`${places.nowhere.lat}, ${places.nowhere.lng}`);
  await page.getByRole("radio", { name: /Flat tyre/ }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("No mechanic comes here, online or not. Check the place.")).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page, { wall: true });
  let tries = 0;
  await page.route(/\/users\/[^/]+\/jobs$/, async (route) => {
    const answer = await route.fetch();
    return (tries += 1) === 1 ? route.abort("connectionreset") : route.fulfill({ response: answer });
  });
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Flat tyre, Lata Iyer" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Made by an admin for the customer");
  // The same caller is recognized the next time, and the page shows their open job before a second one is created.
  await page.goto(`${service.url}/console/jobs/new?phone=${encodeURIComponent(phone)}`);
  await page.getByRole("button", { name: "Find the customer" }).click();
  await expect(page.getByRole("radio", { name: /KA01AB1234/ })).toBeChecked();
});

test("the palette finds pages, actions and people, and keys jump", async ({ page, service }) => {
  const { job } = await customerWithJob(service, "Zubeida Quraishi", places.nowhere);
  await signInConsole(page, service, admin, "/jobs");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find or do something" })).toBeFocused();
  await page.keyboard.type("zubei");
  await expect(page.getByRole("option", { name: /Zubeida Quraishi, Flat tyre/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/console/jobs/${job.id}$`));
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find or do something" })).toBeFocused();
  await page.keyboard.type("live map");
  await expect(page.getByRole("option", { name: /Live map/, selected: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/$/);
  await page.locator("body").press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Follow what is chosen");
  await page.keyboard.press("Escape");
  await page.locator("body").press("g");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/\/console\/jobs$/);
});

test(
  "the live map's list has what is on the map, follows it, and survives a cut",
  { tag: "@map" },
  async ({ page, service, context }) => {
    const mechanic = await Mechanic.register(service, admin, "Farida Khan", places.map);
    await mechanic.goOnline();
    await page.addInitScript((view) => sessionStorage.setItem("roadcall-console-view", JSON.stringify(view)), {
      ...places.map,
      zoom: 13,
    });
    await signInConsole(page, service, admin);
    const entry = page.getByRole("button", { name: /Farida Khan/ });
    await expect(entry).toContainText("Free");
    const { job } = await customerWithJob(service, "Omkar Desai", north(places.map, 800));
    await expect(page.getByRole("button", { name: /Flat tyre.*Omkar Desai/ })).toBeVisible();
    await mechanic.accept(job.id);
    await expect(entry).toContainText("On a job");
    await entry.press("Enter");
    const side = page.getByRole("complementary", { name: "Chosen on the map" });
    await expect(side.getByRole("link", { name: "Open the mechanic" })).toBeVisible();
    await page.locator("body").press("f");
    await expect(side.getByRole("button", { name: "Stop following" })).toBeVisible();
    await expectAccessible(page);
    await context.setOffline(true);
    await expect(page.getByRole("status").filter({ hasText: "Offline" })).toBeVisible();
    await mechanic.setOut(job.id);
    await context.setOffline(false);
    await expect(page.getByRole("status", { name: "The connection to the service" })).toHaveText("Live");
    await expect(page.getByRole("button", { name: /Flat tyre.*Omkar Desai/ })).toContainText("On the way");
    await page.keyboard.press("Escape");
    await expect(side).toBeHidden();
  },
);

test(
  "a map too many is renewed by asking, says so, and is live once there is room",
  { tag: "@map" },
  async ({ browser }) => {
    const service = await Service.start({ ROADCALL__WS__FLEET_SUBSCRIPTIONS: "1" });
    try {
      const own = await newAdmin(service);
      const mechanic = await Mechanic.register(service, own, "Mitali Ghosh", places.crowded);
      await mechanic.goOnline();
      const view = { ...places.crowded, zoom: 13 };
      const open = async () => {
        const context = await browser.newContext({ baseURL: service.url });
        const page = await context.newPage();
        await page.addInitScript(
          (shown) => sessionStorage.setItem("roadcall-console-view", JSON.stringify(shown)),
          view,
        );
        await page.clock.install();
        await signInConsole(page, service, own);
        return page;
      };
      const first = await open();
      await expect(first.getByRole("status", { name: "The connection to the service" })).toHaveText("Live");
      await expect(first.getByRole("button", { name: /Mitali Ghosh/ })).toContainText("Free");
      const second = await open();
      const notice = second.getByText("Too many live maps are open.", { exact: false });
      await expect(notice).toBeVisible();
      const entry = second.getByRole("button", { name: /Mitali Ghosh/ });
      await expect(entry).toContainText("Free");
      await mechanic.goOffline();
      await expect(entry).toBeHidden();
      await first.context().close();
      await second.clock.fastForward(30_000);
      await expect(notice).toBeHidden();
      await mechanic.goOnline();
      await expect(entry).toContainText("Free");
    } finally {
      await service.stop();
    }
  },
);

test("the board has a job in its column, and the list finds it", async ({ page, service }) => {
  const { job } = await customerWithJob(service, "Quentin Xavier", places.nowhere);
  await signInConsole(page, service, admin, "/jobs");
  const column = page.getByRole("region", { name: /Without a mechanic/ });
  await expect(column.getByRole("link", { name: /Quentin Xavier/ })).toBeVisible();
  await page.getByRole("button", { name: "List" }).click();
  await page.getByRole("searchbox", { name: "Find" }).fill("quent");
  const rows = page.getByRole("table", { name: "Jobs" }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^jobs-\d{4}-\d{2}-\d{2}\.csv$/);
  await rows.first().press("Enter");
  await expect(page).toHaveURL(new RegExp(job.id));
  expect(job.service_category_id).toBe(FLAT_TYRE);
});
