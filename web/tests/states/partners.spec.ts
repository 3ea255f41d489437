// Cases of partners in their states: in the members' app, and in the console.
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { examples, expect, none, NOW, test, type Answers, type Schemas } from "../support/pages";

const CASE = "019ceb77-7340-7b20-9e32-6d1f5aab7a01";
const BILL: Schemas["SnapshotBill"] = { outcome: "completed", price: 650, payable: 400, driver_pays: 250 };
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString();

/** Gives a case with one job in this state to both apps. */
function giveCase(answers: Answers, status: Schemas["CaseStatus"], job: Partial<Schemas["JobSnapshot"]>): void {
  const found = { ...examples().answer("GET /partner/jobs/{id}"), ...job };
  answers.give("GET /partner/jobs/{id}", found);
  answers.give("GET /partner/cases/{id}", (example) => ({ ...example, status, jobs: [found] }));
  answers.give("GET /admin/partner-cases/{id}", (example) => ({ ...example, status, offer: null, jobs: [found] }));
}

/** Lets the page's timers run for some seconds, and returns how often the case was asked for until then. */
async function asked(page: Page, answers: Answers, app: "partners" | "console", seconds: number): Promise<number> {
  await page.clock.runFor(seconds * 1000);
  // Whatever was asked before has arrived by then.
  await page.evaluate(() => fetch("/api/v1/config"));
  const operation = app === "partners" ? "GET /partner/cases/{id}" : "GET /admin/partner-cases/{id}";
  return answers.asked.filter((one) => one === operation).length;
}

const pages = {
  partners: `/partners/cases/${CASE}`,
  console: `/console/partner-cases/${CASE}`,
} as const;

for (const app of ["partners", "console"] as const) {
  test(`an open case is looked at every few seconds in ${app}`, async ({ open }) => {
    const { page, answers } = await open(app);
    giveCase(answers, "open", { status: "completed", bill: BILL });
    await page.goto(pages[app]);
    await expect(page.getByText("₹400")).toBeVisible();
    const before = await asked(page, answers, app, 0);
    await expect.poll(() => asked(page, answers, app, 5)).toBeGreaterThan(before + 2);
  });

  test(`a closed case is looked at once a minute until it is paid in ${app}`, async ({ open }) => {
    const { page, answers } = await open(app);
    giveCase(answers, "closed", { status: "completed", bill: BILL });
    await page.goto(pages[app]);
    await expect(page.getByText("₹400")).toBeVisible();
    const before = await asked(page, answers, app, 0);
    expect(await asked(page, answers, app, 40)).toBe(before);
    giveCase(answers, "closed", { status: "paid", bill: { ...BILL, payable: 300 } });
    expect(await asked(page, answers, app, 21)).toBe(before + 1);
    await expect(page.getByText("₹300")).toBeVisible();
    expect(await asked(page, answers, app, 3_600)).toBe(before + 1);
    // A person who returns to the page sees its present state.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect.poll(() => asked(page, answers, app, 0)).toBe(before + 2);
  });
}

test("a cancelled job shows no promise, and nothing to decide about it", async ({ open }) => {
  const { page, answers } = await open("partners");
  answers.give("GET /partner", (me) => ({ ...me, role: "manager" as const }));
  const promise: Schemas["SnapshotPromise"] = {
    state: "proposed",
    at: later(30),
    extended_at: null,
    extension_reason: null,
    missed_at: null,
  };
  giveCase(answers, "open", { status: "accepted", arrived_at: null, promise });
  await page.goto(pages.partners);
  await expect(page.getByRole("button", { name: "Accept this time" })).toBeVisible();
  giveCase(answers, "open", { status: "cancelled", cancelled_at: NOW.toISOString(), arrived_at: null, promise });
  await page.clock.runFor(5_000);
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Proposed arrival")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Accept this time" })).toHaveCount(0);
});

test("a text with spaces can be typed slowly into a filter", async ({ open }) => {
  const { page, answers } = await open("partners");
  const references: (string | null)[] = [];
  answers.give("GET /partner/cases", (example, { query }) => {
    references.push(query.get("reference"));
    return example;
  });
  await page.goto("/partners/");
  const field = page.getByLabel("Whole reference");
  await expect(page.getByText("NMI-2026-004711")).toBeVisible();
  expect(references).toEqual([null]);
  await field.pressSequentially("NMI ");
  await expect.poll(() => references.at(-1)).toBe("NMI");
  await field.pressSequentially("7");
  await expect.poll(() => references.at(-1)).toBe("NMI 7");
});

test("a page behind the last one leads back to it", async ({ open }) => {
  const { page, answers } = await open("partners");
  answers.give("GET /partner/cases", (example) => ({ ...example, data: [], page: 9, limit: 20, total: 50 }));
  await page.goto("/partners/?page=9");
  await expect(page.getByText("No cases match this.")).toBeVisible();
  await page.getByRole("button", { name: "Newer" }).click();
  await expect(page).toHaveURL(/page=3$/);
  answers.give("GET /partner/cases", (example) => ({ ...example, data: [], page: 9, limit: 20, total: 5 }));
  await page.goto("/partners/?page=9");
  await page.getByRole("button", { name: "Newer" }).click();
  await expect(page).toHaveURL(/\/partners\/$/);
});

test("a period that the service refuses is explained", async ({ open }) => {
  const { page, answers } = await open("partners");
  answers.refuse("GET /partner/report", 422, "VALIDATION_FAILED");
  await page.goto("/partners/report?from=2026-03-14&to=2026-03-01");
  await expect(page.getByRole("alert")).toContainText("Choose fewer days, and a first day before the last one.");
});

test("documents that could not be listed are no empty list, also for somebody who adds none", async ({ open }) => {
  const { page, answers } = await open("partners");
  answers.give("GET /partner", (me) => ({ ...me, role: "viewer" as const, scopes: ["read" as const] }));
  answers.refuse("GET /partner/cases/{id}/documents", 503, "UNAVAILABLE");
  await page.goto(pages.partners);
  const documents = page.getByRole("region", { name: "Documents" });
  await expect(documents.getByRole("alert")).toBeVisible();
  answers.forget("GET /partner/cases/{id}/documents");
  await documents.getByRole("button", { name: "Try again" }).click();
  await expect(documents.getByRole("listitem")).toHaveCount(1);
});

test("events are sent again to the end though the dialog is closed meanwhile", async ({ open }) => {
  const { page, answers } = await open("partners");
  let next: string | null = NOW.toISOString();
  answers.give("POST /partner/deliveries/replay", () => {
    const made = { deliveries: 1_000, next_since: next };
    next = null;
    return made;
  });
  await page.goto("/partners/deliveries");
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Events of").selectOption("the last 6 hours");
  const release = await answers.hold("POST /partner/deliveries/replay");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await release();
  await expect(page.getByText("Sent again: 2,000")).toBeVisible();
});

const USUAL = { width: 1280, height: 800 };
const OFFER = () => examples().answer("GET /admin/partner-offers").data[0] as Schemas["WaitingOffer"];

/** Lets a club's offer wait for an answer. */
function giveOffer(answers: Answers): void {
  const { offer, ...waiting } = OFFER();
  answers.give("GET /admin/partner-offers", { data: [{ ...waiting, offer: { ...offer, offered_until: later(5) } }] });
}

/** Ends the offer. */
function endOffer(answers: Answers, changes: Partial<Schemas["OfferSnapshot"]>): void {
  answers.give("GET /admin/partner-offers", none);
  const offer = { ...OFFER().offer, offered_until: NOW.toISOString(), ...changes };
  answers.give("GET /admin/partner-cases/{id}", (example) => ({ ...example, jobs: [], offer }));
}

const ends: [string, Partial<Schemas["OfferSnapshot"]>, string][] = [
  [
    "a colleague accepted",
    { stage: "accepted", eta_min: 40 },
    "A colleague answered this offer. They promised 40 minutes.",
  ],
  [
    "a colleague refused",
    { stage: "refused", refusal_reason: "vehicle_too_heavy" },
    "A colleague answered this offer. They refused it: the vehicle is too heavy for us.",
  ],
  ["the club withdrew", { stage: "withdrawn" }, "The club withdrew this offer."],
  ["expired", { stage: "expired" }, "The time to answer this offer is over."],
];

for (const [what, changes, says] of ends) {
  test(`the dialog for an offer that ${what} says so, and leads to the case`, async ({ open }) => {
    const { page, answers } = await open("console", { viewport: USUAL });
    giveOffer(answers);
    await page.goto("/console/now");
    const alarm = page.getByRole("region", { name: "Offers of clubs" });
    await alarm.getByRole("button", { name: "Accept" }).click();
    await expect(page.getByLabel("Minutes until a mechanic is there")).toBeVisible();
    endOffer(answers, changes);
    const dialog = page.getByRole("dialog", { name: "Nandi Motor Insurance, NMI-2026-004711" });
    await expect(dialog).toContainText(says);
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await expectAccessible(page);
    await dialog.getByRole("link", { name: "See the case" }).click();
    await expect(page).toHaveURL(new RegExp(`/partner-cases/${CASE}$`));
    await expect(dialog).toHaveCount(0);
  });
}

test("an answer that comes too late is told at once who was first, also on the page of the case", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  giveOffer(answers);
  await page.goto(`/console/partner-cases/${CASE}`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: /^Refuse/ }).click();
  await page.getByLabel("Reason").selectOption("terms");
  endOffer(answers, { stage: "confirmed", eta_min: 25 });
  answers.refuse("POST /admin/partner-cases/{id}/refuse", 409, "INVALID_TRANSITION");
  await page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("A colleague answered this offer. They promised 25 minutes.");
  await expect(dialog.getByRole("link", { name: "See the case" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(dialog).toHaveCount(0);
});

test("an answer to an offer, and a dialog that is closed, are told no end", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  giveOffer(answers);
  await page.goto("/console/now");
  const alarm = page.getByRole("region", { name: "Offers of clubs" });
  await alarm.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await alarm.getByRole("button", { name: "Accept" }).click();
  await page.getByLabel("Minutes until a mechanic is there").fill("30");
  // The list is without the offer before the answer to the acceptance arrives.
  const release = await answers.hold("POST /admin/partner-cases/{id}/accept");
  await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
  endOffer(answers, { stage: "accepted", eta_min: 30 });
  await expect(alarm).toHaveCount(0);
  await release();
  await expect(page.getByText(/^Accepted: Nandi Motor Insurance has to confirm/)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
