// Partners in the console: an organisation from its first contract to its suspension, and the offers of clubs.
import type { Schemas } from "../support/examples";
import type { PartnerCase } from "../../src/shared/partners/types";
import { expectAccessible } from "../support/axe";
import { newCase, newOffer, newPartner } from "../support/partners";
import { Mechanic, newAdmin, newPhone, Person, until } from "../support/people";
import { expect, test as base } from "../support/test";
import { signInConsole } from "./live-support";

const HERE = { lat: 12.9716, lng: 77.5946 };

const test = base.extend<object, { admin: Person }>({
  admin: [async ({ service }, use) => use(await newAdmin(service)), { scope: "worker" }],
});

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
  await page.getByLabel("Flat tyre").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make the contract" }).click();
  await expect(page.getByText("deccan-1")).toBeVisible();
  await expect(page.getByRole("table", { name: "Terms" })).toContainText("As quoted");

  await page.getByRole("button", { name: "Add a member" }).click();
  await page.getByLabel("Mobile number").fill(newPhone());
  await page.getByLabel("Name", { exact: true }).fill("Farah Khan");
  await page.getByLabel("Role").selectOption("manager");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("table", { name: "Members" })).toContainText("Farah Khan");

  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Their dispatch program");
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByRole("button", { name: "Copy the key" }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^rck_test_[a-z0-9]{12}_[0-9A-Za-z]+$/);
  const program = new Person(service.url, key, "", "", "a program");
  await program.get("/partner/cases");
  await page.reload();
  await expect(page.getByRole("table", { name: "Keys" })).toContainText("Their dispatch program");
  await expect(page.getByText(key)).toHaveCount(0);

  await page.getByRole("button", { name: "Suspend" }).click();
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Suspended", { exact: true })).toBeVisible();
  await expect(program.get("/partner/cases")).rejects.toThrow(/403/);
});

test("a revoked key is refused at once", async ({ page, service, admin }) => {
  const { organisation, program } = await newPartner(admin, "Coastal Insurance");
  await signInConsole(page, service, admin, `/organisations/${organisation.id}`);
  await program.get("/partner/cases");
  await page
    .getByRole("group", { name: /The club's program/ })
    .getByRole("button", { name: "Revoke" })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("table", { name: "Keys" })).toContainText("Revoked");
  await expect(program.get("/partner/cases")).rejects.toThrow(/401/);
});

test("an offer rings on every page with its time, and is refused with a reason", async ({ page, service, admin }) => {
  const club = await newPartner(admin, "Hill Motor Club");
  await signInConsole(page, service, admin, "/jobs");
  const offer = await newOffer(club, HERE);
  const alert = page.getByRole("region", { name: "Offers of clubs" });
  await expect(alert).toContainText(`Hill Motor Club, ${offer.partner_reference}`);
  await expect(alert.getByRole("timer")).toHaveText(/^\d+ s left$/);
  await page.waitForFunction(() => document.title.includes("waiting: answer now"));
  await page.waitForFunction(() => document.title.startsWith("Jobs"));
  await expectAccessible(page);
  await alert.getByRole("button", { name: "Stop the sound" }).click();
  await expect(alert.getByRole("button", { name: "Stop the sound" })).toHaveCount(0);
  await expect(page).toHaveTitle(/^Jobs/);

  await alert.getByRole("button", { name: "Refuse" }).click();
  await page.getByRole("button", { name: "No mechanic is free in time." }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await expect(alert).toHaveCount(0);
  const refused = await club.program.get<PartnerCase>(`/partner/offers/${offer.id}`);
  expect(refused.status).toBe("refused");
});

test("a club's offer goes from the answer to a job, whose promise is extended", async ({ page, service, admin }) => {
  const club = await newPartner(admin, "Lake Motor Club");
  const mechanic = await Mechanic.register(service, admin, "Suresh Babu", HERE);
  await mechanic.goOnline();
  const offer = await newOffer(club, HERE);
  await signInConsole(page, service, admin, `/partner-cases/${offer.id}`);
  await expect(page.getByText("The customer called twice.")).toBeVisible();
  const main = page.getByRole("main");
  await main.getByRole("button", { name: /^Ask for a call/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ask for a call" }).click();
  await expect(main.getByText("A call was asked for.")).toBeVisible();
  await main.getByRole("button", { name: /^Accept/ }).click();
  await page.getByLabel("Minutes until a mechanic is there").fill("45");
  await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();

  await club.program.post(`/partner/offers/${offer.id}/confirm`);
  const found = await until("the case's job", async () => {
    const { jobs } = await club.program.get<PartnerCase>(`/partner/cases/${offer.id}`);
    return jobs[0] ?? null;
  });
  await mechanic.accept(found.id);
  await page.goto(`/console/jobs/${found.id}`);
  const panel = page.getByRole("region", { name: "Case", exact: true });
  await expect(panel).toContainText("Lake Motor Club");
  await expect(panel).toContainText("Promised");
  await panel.getByRole("button", { name: /^Extend the promise/ }).click();
  await page.getByLabel("Minutes more").fill("15");
  await page.getByLabel("Reason").fill("Heavy traffic on the way.");
  await page.getByRole("button", { name: "Extend", exact: true }).click();
  await expect(panel).toContainText("Heavy traffic on the way.");
  const job = await club.program.get<PartnerCase["jobs"][number]>(`/partner/jobs/${found.id}`);
  expect(job.promise.extended?.reason).toBe("Heavy traffic on the way.");
  await mechanic.goOffline();
});

test("a case is found by its partner, and its page has the events that the partner gets", async ({
  page,
  service,
  admin,
}) => {
  const insurer = await newPartner(admin, "River Insurance");
  const made = await newCase(insurer, HERE);
  await signInConsole(page, service, admin, "/partner-cases");
  await page.getByRole("combobox", { name: "Partner" }).fill("River");
  await page.getByRole("option", { name: /River Insurance/ }).click();
  await expect(page).toHaveURL(new RegExp(insurer.organisation.id));
  const row = page.getByRole("row", { name: new RegExp(made.partner_reference) });
  await expect(row).toBeVisible();
  await row.click();
  await page.getByRole("link", { name: /^Open/ }).click();
  await expect(page.getByRole("region", { name: "Events" })).toContainText("case.created");
  await page.getByRole("link", { name: "See the job" }).click();
  await expect(page.getByRole("region", { name: "Case", exact: true })).toContainText(made.partner_reference);
});

test("a cancelled job has a bill, which the list adds up and saves as CSV", async ({ page, service, admin }) => {
  const fleet = await newPartner(admin, "Plateau Fleet");
  const made = await newCase(fleet, HERE);
  const job = made.jobs[0];
  if (!job) throw new Error("the case has no job");
  await fleet.program.post(`/partner/jobs/${job.id}/cancel`, { reason: "The driver repaired it." });
  await until("the bill", async () => {
    const { total } = await admin.get<{ total: number }>(
      `/admin/partner-bills?organisation_id=${fleet.organisation.id}`,
    );
    return total > 0;
  });
  await signInConsole(page, service, admin, `/partner-bills?organisation_id=${fleet.organisation.id}`);
  await expect(page.getByRole("row", { name: /Plateau Fleet.*Cancelled by the partner/ })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Turn the list's pages" })).toContainText(/Partners pay ₹0/);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^partner-bills-.*\.csv$/);
  const kept = await admin.get<Schemas["JobForAdmin"]>(`/admin/jobs/${job.id}`);
  expect(kept.status).toBe("cancelled");
});
