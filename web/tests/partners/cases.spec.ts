// A partner's member follows the cases of their own organisation and decides on them.
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import type { Schemas } from "../support/examples";
import { newCase, newDocument, newOffer, newPartner } from "../support/partners";
import { Mechanic, newPhone, north, Person, until } from "../support/people";
import { pixel } from "../support/pixel";
import { signInBrowser } from "../support/signin";
import { somewhere } from "../mechanic/support";
import { enterAs, expect, HERE, test } from "./support";

/** Signs in with the code that a service in development shows. */
async function signInWith(page: Page, phone: string): Promise<void> {
  await page.goto("/partners/");
  await page.getByLabel("Mobile number").fill(phone);
  await page.getByRole("button", { name: "Continue" }).click();
  const code = /\d{6}/.exec(await page.getByText(/the code is/).innerText())?.[0] ?? "";
  await page.getByLabel("Code").fill(code);
}

const linkTo = (page: Page, { partner_reference }: Schemas["PartnerCase"]) =>
  page.getByRole("link", { name: new RegExp(partner_reference) });

test("a member follows a case from the list of their organisation to its bill", async ({ page, service, admin }) => {
  const here = somewhere();
  const own = await newPartner(admin, "Own Club", { accepts_promises: false });
  const theirs = await newCase(await newPartner(admin, "Other Club"), HERE);
  const mechanic = await Mechanic.register(service, admin, "Suresh Babu", north(here, 4_000));
  await mechanic.goOnline();
  const made = await newCase(own, here);
  const id = made.jobs[0]?.id ?? "";
  const phone = newPhone();
  const member = { phone, name: "Farah Khan", role: "dispatcher" };
  await admin.post(`/admin/organisations/${own.organisation.id}/members`, member);

  await signInWith(page, phone);
  await expect(page.getByText("Own Club")).toBeVisible();
  await expect(linkTo(page, made)).toBeVisible();
  await expect(page.getByText(theirs.partner_reference)).toHaveCount(0);
  await expectAccessible(page);

  const job = await mechanic.accept(id);
  await linkTo(page, made).click();
  await expect(page.getByText("The customer called twice.")).toBeVisible();
  await page.getByRole("button", { name: "Accept this time" }).click();
  await expect(page.getByText("Promised arrival")).toBeVisible();
  const accepted = await own.program.get<Schemas["PartnerJob"]>(`/partner/jobs/${id}`);
  expect(accepted.promise.state).toBe("accepted");

  await mechanic.setOut(id);
  await mechanic.move(north(here, 3_000));
  await expect(page.getByText("On the way")).toBeVisible();
  await expect(page.getByText(/3 km away/)).toBeVisible();
  await mechanic.move(north(here, 1_500));
  await expect(page.getByText(/1\.5 km away/)).toBeVisible();
  await mechanic.arrive(job);
  await expect(page.getByText("Promise kept")).toBeVisible();

  // The driver reads the start code behind a link, which the member makes and sends.
  await page.getByRole("button", { name: "Make a link for the driver" }).click();
  const token = /\/([^/\s]+)$/.exec(await page.getByText(/^http\S+$/).innerText())?.[1] ?? "";
  const driver = new Person(service.url, "", "", "", "a driver");
  const { start_code } = await driver.get<Schemas["SharedJob"]>(`/shares/${token}`);
  await mechanic.start(id, start_code ?? "");
  await mechanic.propose(id, "A new valve", 120, { photo_url: await mechanic.photo() });
  await mechanic.person.post(`/jobs/${id}/photos`, { stage: "before", file_url: await mechanic.photo() });
  const proposal = page.getByRole("list", { name: "Extra work to decide on" });
  await expect(proposal).toContainText(/A new valve\s*₹120/);
  await proposal.getByRole("button", { name: "Open A new valve" }).click();
  const large = page.getByRole("dialog").getByRole("img");
  await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await page.keyboard.press("Escape");
  await expectAccessible(page);
  await proposal.getByRole("button", { name: "Approve A new valve" }).click();
  await expect(page.getByRole("list", { name: "Extra work", exact: true })).toContainText("Approved");
  await mechanic.complete(id);

  await page.reload();
  await expect(page.getByRole("list", { name: "Photos of the work" }).getByRole("button")).toHaveCount(1);

  const { bill } = await until("the bill", async () => {
    const ended = await own.program.get<Schemas["PartnerJob"]>(`/partner/jobs/${id}`);
    return ended.bill === null ? null : { bill: ended.bill };
  });
  const amount = new Intl.NumberFormat("en-IN", { minimumFractionDigits: bill.payable % 1 === 0 ? 0 : 2 });
  const payable = `₹${amount.format(bill.payable)}`;
  await expect(page.getByRole("region", { name: "Bill" })).toContainText(payable);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Bills" }).click();
  await expect(linkTo(page, made)).toContainText(payable);
  await expect(linkTo(page, made)).toContainText("Completed");
  await expectAccessible(page);
  await mechanic.goOffline();
});

test("the case of another organisation can't be opened", async ({ page, context, service, admin }) => {
  const theirs = await newCase(await newPartner(admin, "Closed Club"), HERE);
  await enterAs(context, service, admin, await newPartner(admin, "Curious Club"), "manager");
  await page.goto(`/partners/cases/${theirs.id}`);
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByText(theirs.partner_reference)).toHaveCount(0);
});

test("somebody who is in no organisation reads that, and can sign out", async ({ page, context, service }) => {
  await signInBrowser(context, service.url, service, "partners", "Asha");
  await page.goto("/partners/");
  await expect(page.getByRole("heading", { name: "No access" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByLabel("Mobile number")).toBeVisible();
});

test("cases are filtered by their status and by their reference, and the address keeps it", async ({
  page,
  context,
  service,
  admin,
}) => {
  const club = await newPartner(admin, "Filter Club");
  const [first, second] = [await newCase(club, HERE), await newCase(club, HERE)];
  await enterAs(context, service, admin, club, "viewer");
  await page.goto("/partners/");
  await expect(linkTo(page, first)).toBeVisible();
  await page.getByLabel("Whole reference").fill(second.partner_reference);
  await expect(linkTo(page, first)).toHaveCount(0);
  await page.reload();
  await expect(linkTo(page, second)).toBeVisible();
  await expect(linkTo(page, first)).toHaveCount(0);
  await page.getByLabel("Status").selectOption("closed");
  await expect(page.getByText("No cases match this.")).toBeVisible();
});

test("a refused promise needs a reason, and the search goes on", async ({ page, context, service, admin }) => {
  const here = somewhere();
  const club = await newPartner(admin, "Refusing Club", { accepts_promises: false });
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", north(here, 4_000));
  await mechanic.goOnline();
  const made = await newCase(club, here);
  const id = made.jobs[0]?.id ?? "";
  await mechanic.accept(id);
  await enterAs(context, service, admin, club, "dispatcher");
  await page.goto(`/partners/cases/${made.id}`);
  await page.getByRole("button", { name: "Refuse this time" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Refuse this time" }).click();
  await expect(dialog.getByText("Say why in a few words.")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Another club is nearer.");
  await dialog.getByRole("button", { name: "Refuse this time" }).click();
  await expect(page.getByText("Searching")).toBeVisible();
  await mechanic.goOffline();
});

test("a club's manager confirms the time that was promised for their offer", async ({
  page,
  context,
  service,
  admin,
}) => {
  const club = await newPartner(admin, "Offering Club");
  const offered = await newOffer(club, HERE);
  await enterAs(context, service, admin, club, "manager");
  await page.goto(`/partners/cases/${offered.id}`);
  await expect(page.getByText(/^We answer by/)).toBeVisible();
  await admin.post(`/admin/partner-cases/${offered.id}/accept`, { eta_min: 40 });
  await page.getByRole("button", { name: "Confirm the time" }).click();
  await expect(page.getByText("Searching")).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw the offer" })).toHaveCount(0);
  const confirmed = await club.program.get<Schemas["PartnerCase"]>(`/partner/cases/${offered.id}`);
  expect(confirmed.jobs).toHaveLength(1);
});

test("a viewer sees a case with its prices, and decides on nothing", async ({ page, context, service, admin }) => {
  const here = somewhere();
  const club = await newPartner(admin, "Viewing Club", { accepts_promises: false });
  const mechanic = await Mechanic.register(service, admin, "Imran Khan", north(here, 4_000));
  await mechanic.goOnline();
  const made = await newCase(club, here);
  await mechanic.accept(made.jobs[0]?.id ?? "");
  await enterAs(context, service, admin, club, "viewer");
  await page.goto(`/partners/cases/${made.id}`);
  await expect(page.getByText("The customer called twice.")).toBeVisible();
  await expect(page.getByText("Proposed arrival")).toBeVisible();
  await expect(page.getByRole("region", { name: "Flat tyre" })).toContainText(/Estimated price\s*₹\d/);
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  await page.goto("/partners/more");
  await expect(page.getByText("Viewer")).toBeVisible();
  await expect(page.getByRole("link", { name: /Keys|Webhooks|Deliveries/ })).toHaveCount(0);
  await page.goto("/partners/keys");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make the key" })).toHaveCount(0);
  await mechanic.goOffline();
});

test("a document is added to a case, opened and deleted, and a viewer only opens it", async ({
  page,
  context,
  service,
  admin,
}) => {
  const club = await newPartner(admin, "Documented Club");
  const made = await newCase(club, HERE);
  await enterAs(context, service, admin, club, "dispatcher");
  await page.goto(`/partners/cases/${made.id}`);
  const documents = page.getByRole("region", { name: "Documents" });
  await documents.locator('input[type="file"]').last().setInputFiles(pixel("report.png"));
  await documents.getByLabel("Kind of document").selectOption("police_report");
  await documents.getByLabel("Name").fill("Report of the traffic police");
  await documents.getByRole("button", { name: "Add it to the case" }).click();
  const added = documents.getByRole("listitem").filter({ hasText: "Report of the traffic police" });
  await expect(added).toContainText("Police report");
  await expect(documents.getByLabel("Kind of document")).toHaveCount(0);
  await expectAccessible(page);
  const opened = page.waitForEvent("popup");
  await added.getByRole("button", { name: /^Open/ }).click();
  await (await opened).waitForURL(/\/uploads\/[0-9a-f-]{36}\/content/);

  await added.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(added).toHaveCount(0);
  await page.reload();
  await expect(documents.getByText("Add a document")).toBeVisible();
  await expect(added).toHaveCount(0);

  await newDocument(club, made.id, "The policy");
  await enterAs(context, service, admin, club, "viewer");
  await page.goto(`/partners/cases/${made.id}`);
  await expect(documents.getByRole("button", { name: "Open" })).toBeVisible();
  await expect(documents.getByRole("button")).toHaveCount(1);
  await expect(documents.getByText("Add a document")).toHaveCount(0);
});

test("a cancelled job is in the bills, and the report counts it", async ({ page, context, service, admin }) => {
  const club = await newPartner(admin, "Cancelling Club");
  const made = await newCase(club, HERE);
  await enterAs(context, service, admin, club, "dispatcher");
  await page.goto(`/partners/cases/${made.id}`);
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await page.getByLabel("Reason").fill("The driver repaired it.");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the job" }).click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  await until("the bill", async () => (await club.program.get<{ total: number }>("/partner/bills")).total > 0);
  await page.goto("/partners/bills");
  await expect(page.getByRole("link", { name: new RegExp(made.partner_reference) })).toContainText("Cancelled by you");
  await page.goto("/partners/report");
  await expect(page.getByRole("region", { name: "Report" })).toContainText(/Cases\s*1/);
});
