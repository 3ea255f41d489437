// Every queue of the desk with its action, in a browser, against a real service.
import type { Schemas } from "../support/examples";
import { ADMIN_PASSWORD, newAdmin, until } from "../support/people";
import { secondFactor } from "../support/totp";
import { accountInAnotherName, applicant, askToServeMore, chargeback, deadEvent, parkedPayment } from "./desk-fill";
import { expect, test, type Filled } from "./desk-test";
import { signInConsole } from "./live-support";

type Rows = { data: Record<string, unknown>[]; total: number };

test.use({ queues: "queues" });
test.beforeEach(({ filled }) => void filled);

test("verification goes by keys alone: open, verify, reject with a text, and on to the next", async ({
  desk,
  service,
  admin,
}) => {
  const { profileId } = await applicant(service, "Ravindra Gowda");
  await desk.open("/verification");
  const { page } = desk;
  const current = page.locator("tr[aria-current]");
  await expect(current).toContainText("Ravindra Gowda");
  await page.keyboard.press("j");
  await expect(current).not.toContainText("Ravindra Gowda");
  await page.keyboard.press("k");
  await expect(page.getByRole("row", { name: /Ravindra Gowda/ })).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Ravindra Gowda" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Aadhaar" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Certificate" })).toBeVisible();
  await desk.press("v");
  const name = page.getByLabel("Name that the documents prove");
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("");
  await page.keyboard.type("Ravindra K Gowda");
  await page.keyboard.press("Control+Enter");
  // The person who has waited longest comes next.
  await expect(page.getByRole("heading", { level: 1, name: "Joseph Antony" })).toBeVisible();
  const verified = await admin.get<Schemas["MechanicForAdmin"]>(`/admin/mechanics/${profileId}`);
  expect([verified.status, verified.verified_name]).toEqual(["verified", "Ravindra K Gowda"]);

  const rejected = page.url().split("/").at(-1) ?? "";
  await desk.press("x");
  await expect(page.getByLabel("Reason")).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Fill this in.")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Joseph Antony B" })).toBeVisible();
  const profile = await admin.get<Schemas["MechanicForAdmin"]>(`/admin/mechanics/${rejected}`);
  expect(profile.status).toBe("rejected");
  expect(profile.rejection_reason).toContain("can't be read");

  // A verified mechanic needs no second verification; the name is changed on their page.
  await desk.open(`/verification/${profileId}`);
  await expect(page.getByText("Verified", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Verify/ })).toHaveCount(0);
  await desk.open(`/mechanics/${profileId}`);
  await expect(page.getByRole("button", { name: /^Change the verified name/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Verify/ })).toHaveCount(0);
});

test("a picture is zoomed and turned with keys", async ({ desk, filled }) => {
  await desk.open(`/verification/${filled.applicants[1]}`);
  const image = desk.page.getByRole("img", { name: "Aadhaar" });
  const region = desk.page.getByRole("region", { name: /^Aadhaar/ });
  await expect(image).toBeVisible();
  await expect.poll(async () => (await image.boundingBox())?.width ?? 0).toBeGreaterThan(100);
  const before = (await image.boundingBox())?.width ?? 0;
  await region.focus();
  await desk.page.keyboard.press("+");
  await expect.poll(async () => (await image.boundingBox())?.width ?? 0).toBeGreaterThan(before * 1.4);
  await desk.page.keyboard.press("t");
  await expect(image).toHaveCSS("rotate", "90deg");
});

test("a dispute goes by keys alone, and the preview says who pays what", async ({ desk, filled, admin }) => {
  await desk.open("/disputes");
  const { page } = desk;
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The mechanic says: The tyre was flat again", { exact: false })).toBeVisible();
  await expect(page.getByRole("img", { name: /Evidence 1/ })).toBeVisible();
  await page.keyboard.press("3");
  await expect(page.getByLabel("Off the price")).toBeFocused();
  await page.keyboard.type("99.50");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Both are partly right.");
  await expect(page.getByRole("row", { name: /Goes back to Meera Iyer/ })).toContainText("₹99.50");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("can't be undone", { exact: false })).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: "Decision" })).toBeVisible();
  const dispute = await admin.get<Schemas["Dispute"]>(`/jobs/${filled.disputed.job.id}/dispute`);
  expect([dispute.status, dispute.outcome, dispute.price_reduction, dispute.price_after]).toEqual([
    "resolved",
    "split",
    99.5,
    dispute.final_price - 99.5,
  ]);
});

interface Case {
  name: string;
  path: string;
  /** Puts an entry into the queue again. */
  prepare?: (filled: Filled) => Promise<unknown>;
  key: string;
  /** A choice without a default: the form requires it. */
  choose?: [label: string, option: string];
  fill?: [label: string | RegExp, value: string][];
  confirm: string;
  /** Reports whether the service has applied it. */
  done: (ask: <T>(path: string) => Promise<T>) => Promise<boolean>;
}

/** Returns the date this many days ago in the tests' time zone. */
const dayAgo = (days: number) => new Date(Date.now() + 5.5 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10);
const empty = (path: string) => async (ask: <T>(path: string) => Promise<T>) => (await ask<Rows>(path)).total === 0;
const cases: Case[] = [
  {
    name: "a mechanic's change is approved",
    path: "/mechanic-changes",
    key: "a",
    confirm: "Approve",
    done: empty("/admin/mechanic-changes"),
  },
  {
    name: "a mechanic's change is rejected",
    path: "/mechanic-changes",
    prepare: ({ paid }) => askToServeMore(paid.mechanic),
    key: "x",
    fill: [["Reason", "The licence is for cars alone."]],
    confirm: "Reject",
    done: empty("/admin/mechanic-changes"),
  },
  {
    name: "a name at the bank is approved",
    path: "/upi",
    key: "a",
    confirm: "Approve",
    done: empty("/admin/wallet/upi?status=name_mismatch"),
  },
  {
    name: "a name at the bank is rejected",
    path: "/upi",
    prepare: ({ paid }) => accountInAnotherName(paid.mechanic),
    key: "x",
    fill: [["Reason", "Add an account in your own name."]],
    confirm: "Reject",
    done: async (ask) => (await ask<Rows>("/admin/wallet/upi?status=rejected")).total === 1,
  },
  {
    name: "a call is closed with its outcome",
    path: "/callbacks",
    key: "d",
    choose: ["Outcome", "not_reached"],
    fill: [["Note for other admins", "Comes tomorrow"]],
    confirm: "Close it",
    done: empty("/admin/callbacks?status=open"),
  },
  {
    name: "a cash refund is marked as paid",
    path: "/refunds?channel=cash&status=pending",
    key: "p",
    fill: [["Reference", "UTR 4711"]],
    confirm: "Mark paid",
    done: empty("/admin/refunds?channel=cash&status=pending"),
  },
  {
    name: "a parked payment is dismissed",
    path: "/parked-payments",
    key: "x",
    fill: [["Reason", "Refunded at the gateway."]],
    confirm: "Dismiss",
    done: empty("/admin/parked-payments?status=open"),
  },
  {
    name: "a period is settled",
    path: "/settlements",
    key: "s",
    // Around the day of the earnings, even if a day or a week ends meanwhile.
    fill: [
      [/^\s*First day\s*$/, dayAgo(21)],
      ["First day after it", dayAgo(7)],
    ],
    confirm: "Run",
    done: async (ask) => (await ask<Rows>("/admin/settlements?status=open")).total > 0,
  },
  {
    name: "a settlement is marked as paid",
    path: "/settlements?status=open",
    key: "p",
    fill: [["Reference", "NEFT 4712"]],
    confirm: "Mark paid",
    done: empty("/admin/settlements?status=open"),
  },
];

for (const { name, path, prepare, key, choose, fill, confirm, done } of cases) {
  test(name, async ({ desk, filled, admin }) => {
    await prepare?.(filled);
    await desk.open(path);
    const { page } = desk;
    await desk.press(key);
    const dialog = page.getByRole("dialog");
    if (choose) {
      await dialog.getByRole("button", { name: confirm, exact: true }).click();
      await expect(dialog.getByText("Choose one.")).toBeVisible();
      await dialog.getByLabel(choose[0]).selectOption(choose[1]);
    }
    for (const [label, value] of fill ?? []) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole("button", { name: confirm, exact: true }).click();
    await expect(dialog).toBeHidden();
    await until(name, () => done((asked) => admin.get(asked)));
  });
}

test("what bank, payout provider and phones refused has its reason; a chargeback ends by the gateway's word", async ({
  desk,
  service,
  filled,
  admin,
}) => {
  const { page } = desk;
  await desk.open("/withdrawals?status=failed");
  await expect(page.getByRole("row", { name: /Suresh Babu.*₹10.*failure@okbank.*Failed/ })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Selected row" })).toContainText("Why it failed");
  await desk.open("/failed-pushes");
  await expect(page.getByRole("row", { name: /no connection/ }).first()).toBeVisible();
  await page.getByRole("complementary", { name: "Selected row" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Suresh Babu" })).toBeVisible();
  await desk.open("/chargebacks");
  const row = page.getByRole("row", { name: /Meera Iyer.*₹100/ });
  await expect(row).toContainText("Open");
  const [open] = (await admin.get<{ data: { gateway_dispute_id: string }[] }>("/admin/chargebacks?status=open")).data;
  await chargeback(service, filled.paid, "won", "other", open?.gateway_dispute_id);
  await until(
    "the chargeback is won",
    async () => (await admin.get<Rows>("/admin/chargebacks?status=won")).total === 1,
  );
  await desk.press("r");
  await expect(row).toBeHidden();
  await page.getByLabel("Status").selectOption("won");
  await expect(row).toContainText("Won");
});

test("an admin gets another role, loses a second factor, and at last the account", async ({ desk, service, admin }) => {
  const colleague = await newAdmin(service, "admin");
  await secondFactor(service, colleague);
  const { page } = desk;
  await desk.open(`/settings/admins?at=${colleague.userId}`);
  const dialog = page.getByRole("dialog");
  const role = async () => (await admin.get<Schemas["AdminUser"]>(`/admin/users/${colleague.userId}`)).role;
  await desk.press("o");
  await dialog.getByLabel("Role").selectOption("super_admin");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await expect(page.getByRole("row", { name: new RegExp(colleague.phone) })).toContainText("Super admin");
  expect(await role()).toBe("super_admin");

  const signIn = () =>
    fetch(`${service.url}/idp/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: colleague.phone, password: ADMIN_PASSWORD }),
    });
  expect((await signIn()).ok).toBe(false);
  await desk.press("2");
  await dialog.getByRole("button", { name: "Reset", exact: true }).click();
  await expect(page.getByText("Second factor removed")).toBeVisible();
  expect((await signIn()).ok).toBe(true);

  await desk.press("x");
  await dialog.getByRole("button", { name: "End the account" }).click();
  await expect(page.getByText("Account ended")).toBeVisible();
  expect((await signIn()).ok).toBe(false);
});

test("a super admin narrows an admin to one desk, and their console shows that desk alone", async ({
  desk,
  service,
  browser,
}) => {
  const colleague = await newAdmin(service, "admin");
  const context = await browser.newContext();
  const own = await context.newPage();
  await signInConsole(own, service, colleague);
  const pages = own.getByRole("navigation", { name: "Pages" });
  await expect(pages.getByRole("link", { name: "Verification" })).toBeVisible();

  const { page } = desk;
  await desk.open(`/settings/admins?at=${colleague.userId}`);
  await desk.press("d");
  const dialog = page.getByRole("dialog");
  for (const name of [/^Dispatch:/, /^People:/, /^Settings:/]) await dialog.getByRole("checkbox", { name }).uncheck();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("row", { name: new RegExp(colleague.phone) })).toContainText("Money");

  // The colleague's open console follows without a reload.
  await expect(pages.getByRole("link", { name: "Verification" })).toBeHidden();
  await expect(pages.getByRole("link", { name: "Payments", exact: true })).toBeVisible();
  // It was on the live map, which they may no longer see.
  await expect(own).toHaveURL(/\/console\/jobs$/);
  await own.goto(`${service.url}/console/ratings`);
  await expect(own.getByText("You don’t work at this desk (People).")).toBeVisible();
});

test("a dead event is replayed, and dismissed when that does not help", async ({ desk, service, admin }) => {
  const gatewayId = await deadEvent(service, "once more");
  const find = async () =>
    (await admin.get<{ data: Schemas["WebhookEvent"][] }>("/admin/webhook-events?limit=100")).data.find(
      (event) => event.event_id === gatewayId,
    );
  const { id } = await until("the event is dead", async () => {
    const event = await find();
    return event?.status === "dead" ? event : null;
  });
  const { page } = desk;
  await desk.open(`/webhook-events?status=dead&at=${id}`);
  await expect(page.getByRole("region", { name: "Payload" })).toContainText("once more");
  await desk.press("p");
  await expect(page.getByRole("dialog")).toContainText("unheard_of");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Event replayed")).toBeVisible();
  const replays = (await admin.get<Rows>("/admin/audit-log?action=webhook_event.replay&limit=100")).data;
  expect(replays.filter((entry) => JSON.stringify(entry).includes(id))).toHaveLength(1);
  // The cause still exists.
  await until("the event is dead again", async () => (await find())?.status === "dead");
  await desk.open(`/webhook-events?status=dead&at=${id}`);
  await expect(page.getByRole("region", { name: "Payload" })).toContainText("once more");
  await desk.press("x");
  await page.getByRole("dialog").getByLabel("Reason").fill("Dealt with at the gateway.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Event dismissed")).toBeVisible();
  expect((await find())?.status).toBe("ignored");
});

test("a parked payment that the gateway can't refund says why and stays open", async ({ desk, service, admin }) => {
  const gatewayId = await parkedPayment(service, 12_300);
  const find = async () =>
    (await admin.get<{ data: Schemas["ParkedPayment"][] }>("/admin/parked-payments?limit=100")).data.find(
      (parked) => parked.gateway_payment_id === gatewayId,
    );
  const { id } = await until("the payment is parked", async () => (await find()) ?? null);
  const { page } = desk;
  await desk.open(`/parked-payments?at=${id}`);
  await expect(page.getByRole("heading", { level: 2, name: /^Parked/ })).toBeVisible();
  await desk.press("e");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(gatewayId);
  await dialog.getByLabel("Reason").fill("It belongs to no order of ours.");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();
  const failure = await until("the refund failed", async () => (await find())?.failure ?? null);
  await desk.press("r");
  await expect(page.getByRole("row", { name: new RegExp(gatewayId) })).toContainText(failure);
  expect((await find())?.status).toBe("open");
});

test("a payment is refunded in part, once though the answer is lost; too much is refused beside its field", async ({
  desk,
  filled,
  admin,
}) => {
  const { page } = desk;
  await desk.open(`/payments?job_id=${filled.cash.job.id}`);
  await desk.press("e");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Amount/).fill("5000");
  await dialog.getByLabel("Reason").fill("Goodwill after a long wait.");
  await page.keyboard.press("Control+Enter");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel(/^Amount/).fill("20.5");
  await expect(dialog.getByText("₹20.50 goes back", { exact: false })).toBeVisible();
  let tries = 0;
  await page.route("**/refunds", async (route) => {
    const answer = await route.fetch();
    return (tries += 1) === 1 ? route.abort("connectionreset") : route.fulfill({ response: answer });
  });
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();
  const payment = await admin.get<Schemas["Payment"]>(`/payments/${filled.cash.paymentId}`);
  expect([tries, payment.refunded_amount]).toEqual([2, 70.5]);
});

test("a rating is hidden", async ({ desk, filled, admin }) => {
  const { page } = desk;
  await desk.open(`/ratings?rater=customer&job_id=${filled.disputed.job.id}`);
  await desk.press("x");
  await page.getByRole("dialog").getByLabel("Because").selectOption("off_topic");
  await page.getByRole("dialog").getByRole("button", { name: "Hide", exact: true }).click();
  await expect(page.getByRole("row", { name: /Hidden/ })).toBeVisible();
  const { data } = await admin.get<Rows>(`/admin/ratings?job_id=${filled.disputed.job.id}&is_hidden=true`);
  expect(data.map((rating) => rating["hidden_reason"])).toEqual(["off_topic"]);
});

test("somebody is found by their number, suspended and reinstated", async ({ desk, filled, admin }) => {
  const { page } = desk;
  const { customer } = filled.paid;
  await desk.open(`/people?q=${customer.phone.slice(-6)}`);
  await page.getByRole("button", { name: customer.name }).click();
  await expect(page.getByRole("heading", { level: 1, name: customer.name })).toBeVisible();
  await expect(page.getByRole("table", { name: "Jobs" }).locator("tbody tr")).toHaveCount(1);
  for (const [key, status] of [
    ["s", "suspended"],
    ["i", "active"],
  ] as const) {
    await desk.press(key);
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    if (key === "s") await dialog.getByLabel("Reason").fill("Abuse of other people.");
    await page.keyboard.press("Control+Enter");
    await expect(dialog).toBeHidden();
    await until(
      status,
      async () => (await admin.get<Schemas["AdminUser"]>(`/admin/users/${customer.userId}`)).status === status,
    );
    await expect(page.getByRole("button", { name: key === "s" ? "Reinstate" : "Suspend" })).toBeVisible();
  }
});

test("dispatch settings are changed after a look at what changes, and restored", async ({ desk, admin }) => {
  const { page } = desk;
  const now = () => admin.get<Schemas["DispatchConfiguration"]>("/admin/config/dispatch");
  await desk.open("/settings/dispatch");
  const before = (await now()).settings.offer_ttl_s;
  // Text typed right after "Apply" stays, however slow the service is: the page does not load anything again.
  await page.getByLabel("Time to answer", { exact: true }).waitFor();
  await page.route("**/api/v1/admin/config/dispatch**", async (route) => {
    if (route.request().method() !== "GET") await route.continue();
  });
  for (const value of ["25", "30"]) {
    await page.getByLabel("Time to answer", { exact: true }).fill(value);
    await page.getByRole("button", { name: "Review 1 change" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("row", { name: /offer ttl s/ })).toContainText(value);
    await dialog.getByRole("button", { name: "Apply" }).click();
    await expect(dialog).toBeHidden();
  }
  expect((await now()).settings.offer_ttl_s).toBe(30);
  expect(before).not.toBe(30);
  await expect(page.getByRole("table", { name: "What differs" })).toContainText("25");
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Version 3").first()).toBeVisible();
  expect((await now()).settings.offer_ttl_s).toBe(25);
  await page.getByLabel("Time to answer", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Review 1 change" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  expect((await now()).version).toBe(3);
});

test("a category is made, gets a setting of its own, and is removed", async ({ desk, admin }) => {
  const { page } = desk;
  const find = async () =>
    (await admin.get<{ data: Schemas["ServiceCategory"][] }>("/service-categories")).data.find(
      (category) => category.slug === "key-lockout",
    );
  await desk.open("/settings/categories/new");
  await page.getByLabel("Name", { exact: true }).fill("Key lockout");
  await expect(page.getByLabel("Short name in addresses")).toHaveValue("key-lockout");
  await page.getByRole("button", { name: "Make it" }).click();
  await expect(page.getByText("Choose at least one.")).toBeVisible();
  await page.getByLabel("Car").check();
  await page.getByLabel("Price", { exact: true }).fill("450");
  await page.getByLabel("For each km").fill("12.5");
  await page.getByLabel("Takes", { exact: true }).fill("20");
  await page.getByLabel("Rings").fill("2, 6, 20");
  await page.getByRole("button", { name: "Make it" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Service categories" })).toBeVisible();
  const made = await find();
  expect([made?.base_price, made?.per_km_price, made?.rings_km, made?.vehicle_types]).toEqual([
    450,
    12.5,
    [2, 6, 20],
    ["four_wheeler"],
  ]);
  await desk.open(`/settings/categories/${made?.id}`);
  await desk.press("x");
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Service categories" })).toBeVisible();
  expect(await find()).toBeUndefined();
});

test("an admin is invited by a link, and the invitation revoked", async ({ desk, admin }) => {
  const { page } = desk;
  await desk.open("/settings/invites");
  await desk.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("asha@example.com");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(/\/console\/invite#token=/)).toBeVisible();
  await desk.press("x");
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await until("revoked", async () => (await admin.get<Rows>("/super-admin/invites?status=revoked")).total === 1);
});

test("the audit log shows what changed, and filters", async ({ desk }) => {
  const { page } = desk;
  await desk.open("/settings/audit");
  await page.getByLabel("Action").fill("Mechanic: verify");
  await expect(page.getByRole("row", { name: /Mechanic: verify/ }).first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Fields that changed" })).toContainText("verified");
  await expect(page).toHaveURL(/action=Mechanic/);
});

test("a list says that it can't be refreshed, keeps its rows, and goes on when the network is back", async ({
  desk,
  context,
}) => {
  const { page } = desk;
  await desk.open("/payments");
  const rows = page.locator("tbody tr");
  const count = await rows.count();
  expect(count).toBeGreaterThan(1);
  await page.keyboard.press("j");
  const kept = await page.locator("tr[aria-current]").innerText();
  await context.setOffline(true);
  await page.keyboard.press("r");
  await expect(page.getByText("The service can't be reached", { exact: false })).toBeVisible();
  await expect(rows).toHaveCount(count);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The service can't be reached", { exact: false })).toBeHidden();
  expect(await page.locator("tr[aria-current]").innerText()).toBe(kept);
});

test("the heat map draws a cell where people called", { tag: "@map" }, async ({ desk }) => {
  const { page } = desk;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await desk.open("/heat");
  const place = page.locator(".place");
  /** Returns how much more red than blue the middle of the map has. */
  const warmth = async () => {
    const box = await place.boundingBox();
    if (!box) return 0;
    const picture = await page.screenshot({
      clip: { x: box.x + box.width / 2 - 2, y: box.y + box.height / 2 - 2, width: 4, height: 4 },
    });
    return page.evaluate(
      async (bytes) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const canvas = new OffscreenCanvas(1, 1).getContext("2d");
        canvas?.drawImage(image, 0, 0, 1, 1);
        const [red = 0, , blue = 0] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
        return red - blue;
      },
      [...picture],
    );
  };
  await page
    .getByRole("complementary", { name: "Numbers" })
    .getByRole("button")
    .filter({ has: page.locator('[title^="12.97"]') })
    .first()
    .click();
  await expect.poll(warmth).toBeGreaterThan(30);
});

test("a list is saved as CSV with its filters", async ({ desk }) => {
  const { page } = desk;
  await desk.open("/payments?status=captured");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^payments-\d{4}-\d{2}-\d{2}\.csv$/);
});
