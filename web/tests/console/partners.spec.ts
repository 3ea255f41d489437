// Partners in the console: an organisation from its first contract to its suspension, the offers of clubs, cases, bills
// and deliveries.
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import type { Schemas } from "../support/examples";
import { newCase, newDocument, newOffer, newPartner, receiver, type Partner } from "../support/partners";
import { FLAT_TYRE, Mechanic, newAdmin, newPhone, north, Person, until } from "../support/people";
import { stop } from "../support/listening";
import { expect, test as base } from "../support/test";
import { signInConsole } from "./live-support";

const HERE = { lat: 12.9716, lng: 77.5946 };
const alarmOf = (page: Page) => page.getByRole("region", { name: "Offers of clubs" });

/** Receivers of events run on this machine. */
const settings = { ROADCALL__PARTNERS__ALLOW_PRIVATE_ADDRESSES: "true" };
const test = base.extend<object, { admin: Person }>({
  admin: [async ({ service }, use) => use(await newAdmin(service)), { scope: "worker" }],
});
test.use({ settings });

test("an organisation gets a contract, a member and a key, and is refused once it is suspended", async ({
  page,
  context,
  service,
  admin,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInConsole(page, service, admin, "/organisations");
  await page.getByRole("button", { name: "New organisation" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Deccan Motor Club");
  await dialog.getByLabel("Kind").selectOption("club");
  await dialog.getByRole("button", { name: "Make it" }).click();
  await page.getByRole("row", { name: /Deccan Motor Club/ }).click();
  await page.getByRole("link", { name: /^Open/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Deccan Motor Club" })).toBeVisible();

  await page.getByRole("link", { name: "New contract" }).click();
  await page.getByRole("button", { name: "Make the contract" }).click();
  await expect(page.getByText("Choose at least one kind of help.")).toBeVisible();
  await page.getByLabel("Reference").fill("deccan-1");
  await page.getByLabel("At most for a job, in ₹").fill("400");
  await page.getByLabel("Flat tyre").check();
  await page.getByLabel("Price", { exact: true }).selectOption("agreed");
  await page.getByLabel("Call-out, in ₹").fill("650");
  await page.getByLabel("Included km").fill("10");
  await page.getByLabel("Each further km, in ₹").fill("25.50");
  await page.getByLabel("Promise missed, in %").fill("80");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make the contract" }).click();
  await expect(page.getByText("deccan-1")).toBeVisible();
  const terms = page.getByRole("table", { name: "Terms" });
  await expect(terms).toContainText("₹650 with 10 km, then ₹25.50/km");
  await expect(terms).toContainText("80 %");

  await page.getByRole("button", { name: "Add a member" }).click();
  await page.getByLabel("Mobile number").fill(newPhone());
  await page.getByLabel("Name", { exact: true }).fill("Farah Khan");
  await page.getByLabel("Role").selectOption("manager");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("table", { name: "Members of the organisation" })).toContainText("Farah Khan");

  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Their dispatch program");
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByRole("button", { name: "Copy the key" }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^rck_test_/);
  const program = new Person(service.url, key, "", "", "a program");
  await program.get("/partner/cases");
  await page.reload();
  await expect(page.getByRole("table", { name: "Keys of the organisation" })).toContainText("Their dispatch program");
  await expect(page.getByText(key)).toHaveCount(0);

  await page.getByRole("button", { name: "Suspend" }).click();
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Suspended", { exact: true })).toBeVisible();
  await expect(program.get("/partner/cases")).rejects.toThrow(/40[13]/);
});

test("a key that is rotated goes on for a while, and a revoked one is refused at once", async ({
  page,
  service,
  admin,
}) => {
  const { organisation, program } = await newPartner(admin, "Coastal Insurance");
  await signInConsole(page, service, admin, `/organisations/${organisation.id}`);
  await program.get("/partner/cases");
  const old = page.getByRole("row", { name: /Being replaced/ });
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await expect(page.getByText(/^rck_test_/)).toBeVisible();
  await program.get("/partner/cases");
  await old.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("row", { name: /Revoked/ })).toBeVisible();
  await expect(program.get("/partner/cases")).rejects.toThrow(/401/);
});

test("a key of an agency acts for the chosen organisations", async ({ page, service, admin }) => {
  const insurer = await newPartner(admin, "Plateau Insurance");
  const agency = await admin.post<Schemas["Organisation"]>("/admin/organisations", {
    name: "Setu Agency",
    kind: "agency",
  });
  await signInConsole(page, service, admin, `/organisations/${agency.id}`);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Their program");
  await page.getByLabel("Plateau Insurance").check();
  await page.getByRole("button", { name: "Make the key" }).click();
  await expect(page.getByRole("table", { name: "Keys of the organisation" })).toContainText("for Plateau Insurance");
  const { data } = await admin.get<Schemas["Page_PartnerKey"]>(`/admin/organisations/${agency.id}/keys`);
  expect(data[0]?.acts_for).toEqual([insurer.organisation.id]);
});

test("an offer rings on every page with its time, and is refused with a reason that the club gets", async ({
  page,
  service,
  admin,
}) => {
  const club = await newPartner(admin, "Hill Motor Club");
  await signInConsole(page, service, admin, "/jobs");
  const offer = await newOffer(club, HERE);
  const alarm = alarmOf(page);
  await expect(alarm).toContainText(`Hill Motor Club, ${offer.partner_reference}`);
  await expect(alarm).toContainText("Flat tyre");
  await expect(alarm.getByRole("timer")).toHaveText(/^\d+ s left$/);
  await page.waitForFunction(() => document.title.includes("waiting: answer now"));
  await page.waitForFunction(() => document.title.startsWith("Jobs"));
  await page.getByRole("link", { name: /^Figures/ }).click();
  await page.waitForFunction(() => document.title.includes("waiting: answer now"));
  await expectAccessible(page);
  await alarm.getByRole("button", { name: "Stop the sound" }).click();
  await expect(alarm.getByRole("button", { name: "Stop the sound" })).toHaveCount(0);
  await expect(page).toHaveTitle(/^Figures/);

  await alarm.getByRole("button", { name: "Refuse" }).click();
  await page.getByLabel("Reason").selectOption("vehicle_too_heavy");
  await page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await expect(alarm).toHaveCount(0);
  const refused = await club.program.get<Schemas["PartnerCase"]>(`/partner/offers/${offer.id}`);
  expect([refused.status, refused.offer?.refusal_reason]).toEqual(["refused", "vehicle_too_heavy"]);
});

test("a dispatcher whose colleague was faster reads what became of the offer", async ({ page, service, admin }) => {
  const club = await newPartner(admin, "Forest Motor Club");
  await signInConsole(page, service, admin, "/now");
  const offer = await newOffer(club, HERE);
  await alarmOf(page).getByRole("button", { name: "Accept" }).click();
  await expect(page.getByLabel("Minutes until a mechanic is there")).toBeVisible();
  await admin.post(`/admin/partner-cases/${offer.id}/refuse`, { reason: "no_equipment" });
  const dialog = page.getByRole("dialog", { name: `Forest Motor Club, ${offer.partner_reference}` });
  await expect(dialog).toContainText("A colleague answered this offer. They refused it: we don’t have the equipment.");
  await dialog.getByRole("link", { name: "See the case" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Forest Motor Club, ${offer.partner_reference}`);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

/** Returns a club whose contract pays for at most ₹50 of a job, so that the driver pays the rest. */
const sharing = (admin: Person, name: string) =>
  newPartner(admin, name, { cover: 50, terms: [{ service_category_id: FLAT_TYRE, pricing: "quoted" }] });

/** Accepts an offer on its page, and confirms it as the club. Returns the job. */
async function takeOffer(page: Page, { program }: Partner, id: string): Promise<Schemas["PartnerJob"]> {
  const main = page.getByRole("main");
  await main.getByRole("button", { name: /^Accept/ }).click();
  await page.getByLabel("Minutes until a mechanic is there").fill("45");
  await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
  await expect(main.getByText("You promised 45 minutes.")).toBeVisible();
  await program.post(`/partner/offers/${id}/confirm`, { eta_min: 45 });
  await expect(main.getByRole("link", { name: "See the job" })).toBeVisible();
  const { jobs } = await program.get<Schemas["PartnerCase"]>(`/partner/cases/${id}`);
  return program.get(`/partner/jobs/${jobs[0]?.id}`);
}

/** Returns the code that the helped person reads behind a link. */
async function startCode({ program }: Partner, jobId: string): Promise<string> {
  const { token } = await program.post<Schemas["NewShareLink"]>(`/partner/jobs/${jobId}/shares`);
  const { start_code } = await program.get<Schemas["SharedJob"]>(`/shares/${token}`);
  return start_code ?? "";
}

test("a club's offer goes from a call to a job, whose promise is extended and whose bill the driver shares", async ({
  page,
  service,
  admin,
}) => {
  const club = await sharing(admin, "Lake Motor Club");
  const mechanic = await Mechanic.register(service, admin, "Suresh Babu", HERE);
  await mechanic.goOnline();
  const offer = await newOffer(club, HERE);
  await signInConsole(page, service, admin, `/partner-cases/${offer.id}`);
  await expect(page.getByRole("heading", { level: 1, name: /^Lake Motor Club, case-/ })).toBeVisible();
  await expect(page.getByText("The customer called twice.")).toBeVisible();
  const main = page.getByRole("main");
  await main.getByRole("button", { name: /^Ask for a call/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ask for a call" }).click();
  await expect(main.getByText("A call was asked for.")).toBeVisible();
  await expect(alarmOf(page).getByRole("button", { name: "Stop the sound" })).toHaveCount(0);
  const { id } = await takeOffer(page, club, offer.id);
  await expectAccessible(page);

  const accepted = await mechanic.accept(id);
  const job = page.getByRole("region", { name: "Job: Flat tyre" });
  await expect(job).toContainText("Promised");
  await job.getByRole("button", { name: /^Extend the promise/ }).click();
  await page.getByLabel("More minutes").fill("15");
  await page.getByLabel("Reason").fill("Heavy traffic on the way.");
  await page.getByRole("button", { name: "Extend", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(job).toContainText("Heavy traffic on the way.");
  const { promise } = await club.program.get<Schemas["PartnerJob"]>(`/partner/jobs/${id}`);
  expect(promise.extension_reason).toBe("Heavy traffic on the way.");

  await mechanic.setOut(id);
  await mechanic.arrive(accepted);
  await mechanic.start(id, await startCode(club, id));
  await mechanic.complete(id);
  await expect(job.getByRole("group", { name: "Who pays for Flat tyre" })).toContainText(/The partner pays\s*₹50/);

  const bill = await until("the bill", async () => {
    const { data } = await club.program.get<Schemas["Page_PartnerBill"]>("/partner/bills");
    return data[0] ?? null;
  });
  await page.goto(`/console/partner-bills?organisation_id=${club.organisation.id}`);
  const row = page.getByRole("row", { name: /Lake Motor Club.*Completed/ });
  await expect(row).toContainText("₹50");
  expect(bill.payable + bill.driver_pays).toBe(bill.price);
  expect(bill.driver_pays).toBeGreaterThan(0);
  await row.click();
  await expect(page.getByRole("complementary")).toContainText(new RegExp(`The driver pays\\s*₹${bill.driver_pays}`));
  await mechanic.goOffline();
});

test("the page of a partner's job names the partner, and extends its promise", async ({ page, service, admin }) => {
  const club = await newPartner(admin, "River Motor Club");
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", north(HERE, 4000));
  await mechanic.goOnline();
  const made = await newCase(club, HERE);
  const id = made.jobs[0]?.id ?? "";
  await mechanic.accept(id);
  await signInConsole(page, service, admin, `/jobs/${id}`);
  const panel = page.getByRole("region", { name: "Partner", exact: true });
  await expect(panel).toContainText("River Motor Club");
  const toCase = panel.getByRole("link", { name: "See the case" });
  await expect(toCase).toHaveAttribute("href", new RegExp(`/partner-cases/${made.id}$`));
  await panel.getByRole("button", { name: /^Extend the promise/ }).click();
  await page.getByLabel("More minutes").fill("10");
  await page.getByRole("button", { name: "Heavy traffic on the way." }).click();
  await page.getByRole("button", { name: "Extend", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(panel).toContainText("Promised");
  await expect(panel).toContainText("Heavy traffic on the way.");
  await toCase.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`River Motor Club, ${made.partner_reference}`);
  await mechanic.goOffline();
});

test("the page of a case has its organisation's phone and opens its documents", async ({ page, service, admin }) => {
  const insurer = await newPartner(admin, "Delta Insurance");
  await admin.patch(`/admin/organisations/${insurer.organisation.id}`, { phone: "+919845012345" });
  const made = await newCase(insurer, HERE);
  await newDocument(insurer, made.id, "Report of the traffic police");
  await signInConsole(page, service, admin, `/partner-cases/${made.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Delta Insurance, ${made.partner_reference}`);
  await expect(page.getByRole("region", { name: "Case", exact: true })).toContainText("+919845012345");
  const documents = page.getByRole("region", { name: "Documents" });
  await expect(documents).toContainText(/Report of the traffic police\s*Police report/);
  await expectAccessible(page);
  const opened = page.waitForEvent("popup");
  await documents.getByRole("button", { name: /^Open/ }).click();
  await (await opened).waitForURL(/\/uploads\/[0-9a-f-]{36}\/content/);
});

test("a case is found by its partner and by its reference", async ({ page, service, admin }) => {
  const insurer = await newPartner(admin, "Valley Insurance");
  const [made, other] = [await newCase(insurer, HERE), await newCase(insurer, HERE)];
  await signInConsole(page, service, admin, "/partner-cases");
  await page.getByRole("combobox", { name: "Partner" }).fill("Valley");
  await page.getByRole("option", { name: /Valley Insurance/ }).click();
  await expect(page).toHaveURL(new RegExp(insurer.organisation.id));
  const row = ({ partner_reference }: Schemas["PartnerCase"]) =>
    page.getByRole("row", { name: new RegExp(partner_reference) });
  await expect(row(other)).toBeVisible();
  await page.getByLabel("Reference").fill(made.partner_reference);
  await expect(row(other)).toHaveCount(0);
  await row(made).click();
  await page.getByRole("link", { name: /^Open/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Valley Insurance, ${made.partner_reference}`);
  await page.getByRole("link", { name: "See the job" }).click();
  await expect(page.getByRole("region", { name: "Partner", exact: true })).toContainText("Valley Insurance");
});

test("a dispatcher finds partners without the settings desk", async ({ page, service, admin }) => {
  const fleet = await newPartner(admin, "Meadow Fleet");
  const made = await newCase(fleet, HERE);
  const dispatcher = await newAdmin(service, "admin");
  await admin.put(`/super-admin/users/${dispatcher.userId}/desks`, { desks: ["dispatch"] });
  await signInConsole(page, service, dispatcher, "/partner-cases");
  await expect(page.getByRole("link", { name: /^Organisations/ })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Partner" }).fill("Meadow");
  await page.getByRole("option", { name: /Meadow Fleet/ }).click();
  await expect(page.getByRole("row", { name: new RegExp(made.partner_reference) })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Partner" })).toHaveValue("Meadow Fleet");
});

test("bills are added up and saved as CSV", async ({ page, service, admin }) => {
  const fleet = await newPartner(admin, "Plateau Fleet");
  const made = await newCase(fleet, HERE);
  await fleet.program.post(`/partner/jobs/${made.jobs[0]?.id}/cancel`, { reason: "The driver repaired it." });
  await until(
    "the bill",
    async () => (await fleet.program.get<Schemas["Page_PartnerBill"]>("/partner/bills")).total > 0,
  );
  await signInConsole(page, service, admin, `/partner-bills?organisation_id=${fleet.organisation.id}`);
  await expect(page.getByRole("row", { name: /Plateau Fleet.*Cancelled by the partner/ })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Turn the list's pages" })).toContainText(/Partners pay ₹0/);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^partner-bills-.*\.csv$/);
});

test("deliveries are listed with their failures", async ({ page, service, admin }) => {
  const { url, server } = await receiver(500);
  const club = await newPartner(admin, "Harbour Motor Club");
  const { id } = await club.program.post<Schemas["SubscriptionSecret"]>("/partner/subscriptions", {
    url,
    events: ["case.created"],
  });
  await club.program.post(`/partner/subscriptions/${id}/verify`);
  const made = await newCase(club, HERE);
  await until("the failure", async () => {
    const { data } = await club.program.get<Schemas["Page_Delivery"]>("/partner/deliveries?status=pending");
    return data[0]?.answer_status === 500;
  });
  await signInConsole(page, service, admin, `/partner-deliveries?organisation_id=${club.organisation.id}`);
  const row = page.getByRole("row", { name: /case\.created/ });
  await expect(row).toContainText("Harbour Motor Club");
  await expect(row).toContainText("500");
  await row.click();
  const panel = page.getByRole("complementary");
  await expect(panel).toContainText("Next try");
  await panel.getByRole("link", { name: "See the case" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Harbour Motor Club, ${made.partner_reference}`);
  await stop(server);
});
