// A partner's member follows the cases of their own organisation and decides on them.
import type { PartnerCase } from "../../src/shared/partners/types";
import { expectAccessible } from "../support/axe";
import { newCase, newPartner } from "../support/partners";
import { Mechanic, newPhone, Person, until } from "../support/people";
import { signInBrowser } from "../support/signin";
import { enterAs, expect, HERE, test } from "./support";

test("a member signs in with their number, and sees the cases of their organisation alone", async ({ page, admin }) => {
  const [own, other] = [await newPartner(admin, "Own Club"), await newPartner(admin, "Other Club")];
  const [mine, theirs] = [await newCase(own, HERE), await newCase(other, HERE)];
  const phone = newPhone();
  await admin.post(`/admin/organisations/${own.organisation.id}/members`, { phone, name: "Farah", role: "viewer" });
  await page.goto("/partners/");
  await page.getByLabel("Mobile number").fill(phone);
  await page.getByRole("button", { name: "Continue" }).click();
  const code = /\d{6}/.exec(await page.getByText(/the code is/).innerText())?.[0] ?? "";
  await page.getByLabel("Code").fill(code);
  await expect(page.getByRole("link", { name: new RegExp(mine.partner_reference) })).toBeVisible();
  await expect(page.getByText("Own Club")).toBeVisible();
  await expect(page.getByText(theirs.partner_reference)).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/partners/cases/${theirs.id}`);
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByText(theirs.partner_reference)).toHaveCount(0);
});

test("somebody who is in no organisation reads that, and can sign out", async ({ page, context, service }) => {
  await signInBrowser(context, service.url, service, "partners", "Asha");
  await page.goto("/partners/");
  await expect(page.getByRole("heading", { name: "No organisation yet" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByLabel("Mobile number")).toBeVisible();
});

test("cases are filtered by their status and searched by their reference, and the address keeps it", async ({
  page,
  context,
  service,
  admin,
}) => {
  const club = await newPartner(admin, "Filter Club");
  const [first, second] = [await newCase(club, HERE), await newCase(club, HERE)];
  await enterAs(context, service, admin, club, "viewer");
  await page.goto("/partners/");
  const link = ({ partner_reference }: PartnerCase) => page.getByRole("link", { name: new RegExp(partner_reference) });
  await expect(link(first)).toBeVisible();
  await page.getByLabel("Reference, plate or name").fill(second.partner_reference);
  await expect(link(first)).toHaveCount(0);
  await page.reload();
  await expect(link(second)).toBeVisible();
  await expect(link(first)).toHaveCount(0);
  await page.getByLabel("Status").selectOption("closed");
  await expect(page.getByText("No cases match this.")).toBeVisible();
});

test("a dispatcher accepts the promise, approves extra work with its price, and sees the mechanic arrive", async ({
  page,
  context,
  service,
  admin,
}) => {
  const club = await newPartner(admin, "Deciding Club", { accepts_promises: false });
  const mechanic = await Mechanic.register(service, admin, "Suresh Babu", HERE);
  await mechanic.goOnline();
  const made = await newCase(club, HERE);
  const id = made.jobs[0]?.id ?? "";
  const job = await mechanic.accept(id);
  await mechanic.setOut(id);
  await enterAs(context, service, admin, club, "dispatcher");
  await page.goto(`/partners/cases/${made.id}`);
  await page.getByRole("button", { name: "Accept this time" }).click();
  await expect(page.getByText("Promised arrival")).toBeVisible();
  const accepted = await club.program.get<PartnerCase["jobs"][number]>(`/partner/jobs/${id}`);
  expect(accepted.promise.state).toBe("accepted");

  await mechanic.arrive(job);
  await expect(page.getByText("Promise kept")).toBeVisible();
  // The helped person reads the start code behind their link.
  const { link } = await club.program.get<PartnerCase["jobs"][number]>(`/partner/jobs/${id}`);
  const guest = new Person(service.url, "", "", "", "a guest");
  const token = link?.split("/").at(-1) ?? "";
  const { start_code } = await guest.get<{ start_code: string | null }>(`/shares/${token}`);
  await mechanic.start(id, start_code ?? "");
  const item = await mechanic.propose(id, "A new valve", 120);
  await expect(page.getByText("A new valve").first()).toBeVisible();
  await expect(page.getByText("₹120", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve A new valve" }).click();
  await expect(page.getByRole("button", { name: "Approve A new valve" })).toHaveCount(0);
  await until("the approval", async () => {
    const { data } = await admin.get<{ data: { id: string; status: string }[] }>(`/jobs/${id}/line-items`);
    return data.find((one) => one.id === item.id)?.status === "approved";
  });
  await mechanic.complete(id);
  await mechanic.goOffline();
});

test("a refused promise needs a reason, and the search goes on", async ({ page, context, service, admin }) => {
  const club = await newPartner(admin, "Refusing Club", { accepts_promises: false });
  const mechanic = await Mechanic.register(service, admin, "Ravi Kumar", HERE);
  await mechanic.goOnline();
  const made = await newCase(club, HERE);
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

test("a viewer sees a case and decides on nothing", async ({ page, context, service, admin }) => {
  const club = await newPartner(admin, "Viewing Club");
  const made = await newCase(club, HERE);
  await enterAs(context, service, admin, club, "viewer");
  await page.goto(`/partners/cases/${made.id}`);
  await expect(page.getByText("The customer called twice.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel the job" })).toHaveCount(0);
  await page.goto("/partners/more");
  await expect(page.getByText("Viewer")).toBeVisible();
  await expect(page.getByRole("link", { name: "Keys" })).toHaveCount(0);
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
