// Vehicles that are towed: booked as a tow, or turned into one at the roadside, with all three roles in
// browsers.
import type { Schemas } from "../support/examples";
import { picture } from "../console/desk-fill";
import { signInConsole } from "../console/live-support";
import { goOnline, jobIs, moveTo, recorded, somewhere, test, verified, type AtWork } from "../mechanic/support";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { keepPicture } from "../support/pictures";
import { newJob, newVehicle, north, type Person, type Place } from "../support/people";
import { onPhone } from "../support/signin";
import type { Service } from "../support/service";
import { expect, type Browser, type Page } from "@playwright/test";

const TOWING = "018f0000-0000-7000-8000-000000000003";

async function customerAt(
  browser: Browser,
  service: Service,
  at: Place,
): Promise<{ page: Page; customer: Person; vehicle: Schemas["Vehicle"] }> {
  const { page, person: customer } = await onPhone(browser, service, { at });
  const vehicle = await newVehicle(customer, { vehicle_type: "four_wheeler", make: "Maruti", model: "Swift" });
  return { page, customer, vehicle };
}

const workshopAt = (admin: Person, name: string, { lat, lng }: Place) =>
  admin.post<Schemas["Workshop"]>("/admin/workshops", { name, address: `1 ${name} Road`, lat, lng });

/** Moves the phone, and waits until it has recorded the position. */
async function drive({ context, page }: AtWork, to: Place): Promise<void> {
  const before = await recorded(page);
  await moveTo(context, to);
  await expect.poll(() => recorded(page)).toBeGreaterThan(before + 1);
}

/** Goes from the offer to the start of the work, as the mechanic's app does it. */
async function begin(mechanic: AtWork, customer: Person, id: string, offer: string, pickup: Place): Promise<void> {
  const { page } = mechanic;
  await page.getByRole("dialog", { name: offer }).getByRole("button", { name: "Accept" }).click();
  await page.getByRole("button", { name: "Set out" }).click();
  await drive(mechanic, pickup);
  await page.getByRole("button", { name: "I have arrived" }).click();
  const { start_code } = await jobIs(customer, id, "the arrival", ({ status }) => status === "arrived");
  await page.getByLabel("Start code").fill(start_code ?? "");
  await page.getByRole("button", { name: "Start the work" }).click();
}

const photo = { name: "vehicle.png", mimeType: "image/png", buffer: picture(400, 300, [40, 60, 120]) };

async function load(page: Page): Promise<void> {
  const loaded = page.getByRole("button", { name: "Vehicle loaded" });
  await expect(loaded).toBeDisabled();
  await page.locator('.load input[type="file"]').last().setInputFiles(photo);
  await loaded.click();
}

async function deliver(page: Page, to: string): Promise<void> {
  await page.getByRole("button", { name: "Delivered" }).click();
  const dialog = page.getByRole("dialog", { name: "Delivered" });
  await dialog.locator('input[type="file"]').last().setInputFiles(photo);
  await dialog.getByLabel("Who received it?").fill(to);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Hand it over" }).click();
}

async function fits(page: Page, name: string): Promise<void> {
  await keepPicture(page, test.info(), name, { fullPage: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide, page.url()).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await expectToFit(page);
}

test("a tow from the request to the drop-off", { tag: "@map" }, async ({ browser, service, admin }) => {
  test.setTimeout(300_000);
  const here = somewhere();
  const garage = north(here, 7_000);
  const name = `Hosur Motors ${here.lat.toFixed(3)}`;

  // An admin adds a workshop, near one that is farther away and one that is switched off.
  const desk = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signInConsole(desk, service, admin, "/settings/workshops");
  await desk.getByRole("button", { name: "New workshop" }).click();
  await desk.getByLabel("Name").fill(name);
  await desk.getByLabel("Address", { exact: true }).fill("12 Hosur Road");
  await desk.getByRole("button", { name: "Add it" }).click();
  await expect(desk.getByRole("alert")).toContainText("Not coordinates");
  await desk.getByLabel("Coordinates").fill(`${garage.lat}, ${garage.lng}`);
  await expectAccessible(desk);
  await desk.getByRole("button", { name: "Add it" }).click();
  await expect(desk.getByRole("cell", { name, exact: true })).toBeVisible();
  await workshopAt(admin, "Far Motors", north(here, 20_000));
  const off = await workshopAt(admin, "Shut Motors", north(here, 1_000));
  await admin.patch(`/admin/workshops/${off.id}`, { is_active: false });

  const mechanic = await verified(browser, service, admin, north(here, 1_500));
  await goOnline(mechanic.page);

  // The customer chooses the destination, and sees what that costs.
  const { page, customer, vehicle } = await customerAt(browser, service, here);
  await page.goto("/customer/");
  await page.getByRole("button", { name: /Towing/ }).click();
  await expect(page.getByText("This is your position.")).toBeVisible();
  await page.getByRole("button", { name: "Help me here" }).click();
  await expect(page.getByRole("heading", { name: "Where should it go?" })).toBeVisible();
  await expect(page.getByRole("radio").first()).toHaveAccessibleName(new RegExp(name));
  await expect(page.getByText("Shut Motors")).toHaveCount(0);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose where the vehicle should go.");
  await fits(page, "01-destination-missing");
  await page.getByRole("radio", { name: "Another place" }).check();
  await expect(page.getByLabel("Address")).toBeVisible();
  await fits(page, "02-other-place");
  await page.getByRole("radio", { name: new RegExp(name) }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  const estimate = await customer.post<Schemas["Estimate"]>("/jobs/estimate", {
    vehicle_id: vehicle.id,
    service_category_id: TOWING,
    pickup_lat: here.lat,
    pickup_lng: here.lng,
    destination: { lat: garage.lat, lng: garage.lng },
  });
  expect(estimate.destination_price).toBeGreaterThan(0);
  await expect(page.getByText(/^Tow of .* km$/)).toBeVisible();
  await expect(page.locator(".price dd").last()).toHaveText(`₹${estimate.destination_price}`);
  await expect(page.getByRole("link", { name: "Change where it goes" })).toBeVisible();
  await page.getByText("Who receives the vehicle").click();
  await page.getByLabel("Their name").fill("Suresh");
  await page.getByLabel("Their phone number").fill("12");
  await page.getByRole("button", { name: "Send a mechanic" }).click();
  await expect(page.getByLabel("Their phone number")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Their phone number").fill("+919876543210");
  await fits(page, "03-price");
  await page.getByRole("button", { name: "Send a mechanic" }).click();
  await expect(page).toHaveURL(/\/jobs\/[\w-]+$/);
  const id = page.url().split("/").at(-1) ?? "";
  const made = await customer.get<Schemas["Job"]>(`/jobs/${id}`);
  expect(made.destination).toMatchObject({ workshop_name: name, receiver_name: "Suresh" });
  await expect(page.getByRole("region", { name: "Destination" })).toContainText("12 Hosur Road");

  // The offer shows the destination, the job shows who receives the vehicle.
  const offer = mechanic.page.getByRole("dialog", { name: "Towing" });
  await expect(offer.getByText(name)).toBeVisible();
  await expectAccessible(mechanic.page);
  await begin(mechanic, customer, id, "Towing", here);
  await expect(mechanic.page.getByRole("heading", { name: "Load the vehicle" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Ravi is loading your vehicle" })).toBeVisible();
  await fits(mechanic.page, "10-loading");
  await load(mechanic.page);
  const way = mechanic.page.getByRole("link", { name: /Navigate with/ });
  await expect(way).toHaveAttribute("href", new RegExp(`destination=${garage.lat.toFixed(6)}`));
  await expect(mechanic.page.getByText("Hand it over to")).toContainText("Suresh");
  await fits(mechanic.page, "11-towing");

  // The page follows the vehicle to the workshop.
  await expect(page.getByRole("heading", { name: `Your vehicle is on its way to ${name}` })).toBeVisible();
  await drive(mechanic, north(here, 3_000));
  await expect(page.getByText(/to go$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Open At pick-up" })).toBeVisible();
  await fits(page, "04-towing");
  await drive(mechanic, garage);
  await deliver(mechanic.page, "Suresh K");
  await expect(mechanic.page.getByRole("button", { name: "Paid in cash?" })).toBeVisible();

  await expect(page.getByRole("heading", { name: `Your vehicle is at ${name}` })).toBeVisible();
  await expect(page.getByText(/Suresh K received it at/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Open At drop-off" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Price" })).toContainText(/Tow of .* km/);
  await fits(page, "05-towed");
  expect(await customer.get<Schemas["Job"]>(`/jobs/${id}`)).toMatchObject({
    outcome: "towed",
    received_by: "Suresh K",
    final_price: made.estimated_price,
  });

  await desk.goto(`${service.url}/console/jobs/${id}`);
  const facts = desk.getByRole("region", { name: "Job", exact: true });
  await expect(facts).toContainText("12 Hosur Road");
  await expect(facts).toContainText("Suresh K");
  await expect(facts.getByText("Loaded")).toBeVisible();
  await expect(desk.getByText("The vehicle is loaded")).toBeVisible();
  await expectAccessible(desk);
});

test("a repair that becomes a tow at the roadside, once the customer agrees", async ({ browser, service, admin }) => {
  test.setTimeout(300_000);
  const here = somewhere();
  const name = `Wayside Garage ${here.lat.toFixed(3)}`;
  await workshopAt(admin, name, north(here, 8_000));
  const mechanic = await verified(browser, service, admin, north(here, 1_000));
  await goOnline(mechanic.page);
  const { page, customer, vehicle } = await customerAt(browser, service, here);
  const job = await newJob(customer, vehicle, here);
  await page.goto(`/customer/jobs/${job.id}`);
  await begin(mechanic, customer, job.id, "Flat tyre", here);

  const propose = async () => {
    await mechanic.page.getByRole("button", { name: "Offer a tow" }).click();
    const dialog = mechanic.page.getByRole("dialog", { name: "Offer a tow" });
    await expect(dialog.getByRole("button", { name: "Ask the customer" })).toBeDisabled();
    await dialog.getByRole("radio", { name: new RegExp(name) }).check();
    await expectAccessible(mechanic.page);
    await dialog.getByRole("button", { name: "Ask the customer" }).click();
    await expect(dialog).toBeHidden();
    await expect(mechanic.page.getByText(`Tow to ${name}`).last()).toBeVisible();
    await expect(mechanic.page.getByRole("button", { name: "Offer a tow" })).toHaveCount(0);
  };
  await propose();
  await expect(mechanic.page.getByRole("button", { name: "Change" })).toHaveCount(0);
  await expect(page.locator(".items.asks")).toContainText(`1 ${name} Road`);
  await fits(page, "06-approve");
  await page.getByRole("button", { name: `Reject Tow to ${name}` }).click();
  await expect(mechanic.page.getByRole("button", { name: "Offer a tow" })).toBeVisible();
  await propose();
  await page.getByRole("button", { name: `Approve Tow to ${name}` }).click();

  await expect(mechanic.page.getByRole("heading", { name: "Load the vehicle" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Ravi is loading your vehicle" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Destination" })).toContainText(`1 ${name} Road`);
  await load(mechanic.page);
  await expect(page.getByRole("heading", { name: `Your vehicle is on its way to ${name}` })).toBeVisible();
  // A reload loses nothing that was done.
  await mechanic.page.reload();
  await deliver(mechanic.page, "Mahesh");
  // The phone is still at the roadside: the mechanic says why.
  const why = mechanic.page.getByLabel("Reason, such as");
  await why.fill("The garage has no network");
  await expectAccessible(mechanic.page);
  await mechanic.page.getByRole("button", { name: "Hand it over" }).click();
  const done = await jobIs(customer, job.id, "the drop-off", ({ status }) => status === "completed");
  expect(done).toMatchObject({ outcome: "towed", received_by: "Mahesh", destination_price: 0 });
  expect(done.final_price).toBeGreaterThan(job.estimated_price);
  await expect(page.getByRole("heading", { name: `Your vehicle is at ${name}` })).toBeVisible();
});

test("an admin books a tow for a caller", async ({ browser, service, admin }) => {
  const here = somewhere();
  await workshopAt(admin, `Desk Garage ${here.lat.toFixed(3)}`, north(here, 6_000));
  const { customer, vehicle } = await customerAt(browser, service, here);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signInConsole(page, service, admin, "/jobs/new");
  await page.getByLabel("Phone number of the caller").fill(customer.phone);
  await page.getByRole("button", { name: "Find the customer" }).click();
  await expect(page.getByRole("radio", { name: new RegExp(vehicle.registration_number) })).toBeChecked();
  await page.getByLabel("Address, as the mechanic should read it").fill("Near the old fort");
  await page.getByLabel("Coordinates").fill(`${here.lat}, ${here.lng}`);
  await page.getByRole("radio", { name: /^Towing/ }).check();
  await expect(page.getByRole("heading", { name: "Where should it go?" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Make the job" })).toBeDisabled();
  await page.getByRole("radio", { name: /Desk Garage/ }).check();
  await page.getByLabel("Who receives it").fill("Lata");
  await expect(page.getByText(/for the tow of/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make the job" }).click();
  await expect(page.getByRole("region", { name: "Job", exact: true })).toContainText("Desk Garage");
  const id = page.url().split("/").at(-1) ?? "";
  const { destination } = await customer.get<Schemas["Job"]>(`/jobs/${id}`);
  expect(destination).toMatchObject({ receiver_name: "Lata" });
});
