// The pages of the desk on a real service: others' texts never run as scripts, and the service reports on itself.
import type { Page } from "@playwright/test";
import type { Schemas } from "../support/examples";
import { expectAccessible } from "../support/axe";
import { EVIL } from "./desk-fill";
import { expect, test } from "./desk-test";

test.use({ queues: "pages" });

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(() => "__ran" in window), page.url()).toBe(false);
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
}

test("texts of other people are shown as they were written, and nothing of them runs", async ({ desk, evil }) => {
  test.setTimeout(600_000);
  const { page } = desk;
  const { customer, job, mechanic } = evil.disputed;
  const shown: [string, string][] = [
    ["/verification", EVIL[0]],
    [`/verification/${evil.applicants[0]}`, EVIL[0]],
    ["/mechanic-changes", EVIL[1]],
    ["/callbacks", EVIL[0]],
    ["/disputes", EVIL[0]],
    [`/disputes/${job.id}`, `The mechanic says: ${EVIL.join(" ")}`],
    ["/ratings", EVIL[1]],
    ["/upi", EVIL[1]],
    ["/refunds", EVIL[0]],
    ["/payments", EVIL[0]],
    ["/chargebacks", EVIL[0]],
    ["/webhook-events?status=dead", "onerror"],
    ["/grievances", EVIL[0]],
    [`/grievances/${evil.grievance}`, EVIL.join(" ")],
    ["/people", EVIL[0]],
    [`/people/${customer.userId}`, EVIL[0]],
    ["/mechanics", EVIL[1]],
    [`/mechanics/${mechanic.profileId}`, EVIL[1]],
    ["/settings/audit", "Payment: refund"],
  ];
  for (const [path, text] of shown) {
    await desk.open(path);
    await expect(page.getByText(text, { exact: false }).first(), path).toBeVisible();
    await expectHarmless(page);
  }
  await desk.open("/payments");
  await desk.press("e");
  await expect(page.getByRole("dialog")).toContainText(EVIL[0]);
  await expectHarmless(page);
});

test("the status says what is wrong and what to do, the worst first", async ({ desk }) => {
  const { page } = desk;
  await desk.open("/status");
  const rows = page.getByRole("table", { name: "Status" }).locator("tbody tr");
  const about = (subject: string) => rows.filter({ has: page.getByRole("cell", { name: subject, exact: true }) });
  await expect(about("Database")).toContainText("connections are in use");
  await expect(about("Versions")).toContainText("Postgres");
  // A test's server has no backups.
  await expect(rows.filter({ hasText: "RoadcallBackupOld" })).toContainText("backup.every_hours");
  await page.route("**/admin/status", async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as Schemas["Status"];
    const disk = status.lines.find((line) => line.about === "disk");
    if (!disk) throw new Error("no line about the disk");
    Object.assign(disk, { state: "act", next: "Get a larger disk.", runbook: "RoadcallDiskFull" });
    await route.fulfill({ response, json: { ...status, state: "act" } });
  });
  await desk.open("/status");
  await expect(page.getByText("1 thing to act on now.")).toBeVisible();
  await expect(rows.first()).toContainText("RoadcallDiskFull");
  await expectAccessible(page);
  await page.unroute("**/admin/status");
});

test("new jobs are stopped with a message, and every page says by whom until they are taken again", async ({
  desk,
  service,
}) => {
  const { page } = desk;
  const stopMessage = async () =>
    ((await (await fetch(`${service.url}/config`)).json()) as Schemas["AppConfig"]).job_stop?.message ?? null;
  await desk.open("/settings/new-jobs");
  await expect(page.getByText("New jobs are taken.")).toBeVisible();
  await page.getByRole("button", { name: "Stop new jobs" }).click();
  await expect(page.getByText("Say why, and what people can do.")).toBeVisible();
  await page.getByLabel("Message to customers").fill("The roads are flooded");
  await page.getByRole("button", { name: "Stop new jobs" }).click();
  const asking = page.getByRole("dialog", { name: "Stop new jobs?" });
  await expect(asking).toContainText("“The roads are flooded”");
  expect(await stopMessage()).toBe(null);
  await expectAccessible(page);
  await asking.getByRole("button", { name: "Yes, stop new jobs" }).click();
  const banner = page.getByRole("status").filter({ hasText: "No new jobs are taken since" });
  await expect(banner).toContainText("The roads are flooded");
  expect(await stopMessage()).toBe("The roads are flooded");
  await desk.open("/people");
  await expect(banner).toContainText("by");
  await expectAccessible(page);
  await banner.getByRole("link", { name: "Change" }).click();
  await page.getByRole("button", { name: "Take new jobs again" }).click();
  await expect(page.getByText("New jobs are taken.")).toBeVisible();
  await expect(banner).toHaveCount(0);
  expect(await stopMessage()).toBe(null);
});

test("the servers have a page, which follows what becomes of them", async ({ desk }) => {
  const { page } = desk;
  await desk.open("/servers");
  await expect(page.getByText("This server serves alone")).toBeVisible();
  const rows = page.getByRole("table", { name: "Servers" }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Leads");
  await expect(page.getByRole("table", { name: "Last take-overs" }).locator("tbody tr")).toContainText(/\d m?s$/);
  // The answer of a cluster whose leader has just stopped, in the middle of an upgrade.
  await page.route("**/admin/cluster", async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as Schemas["ClusterState"];
    const [first] = state.nodes;
    if (!first) throw new Error("no server");
    state.bus = { is_connected: true, lost_messages: 0 };
    state.engine.is_answering = false;
    state.nodes = [
      { ...first, is_leading: false, clock_ahead_ms: 1_500 },
      { ...first, id: crypto.randomUUID(), release: "99.0.0", is_draining: true, is_leading: false },
    ];
    await route.fulfill({ response, json: state });
  });
  await expect(page.getByText("another server takes over within a few seconds", { exact: false })).toBeVisible();
  await expect(page.getByText("Servers run different releases: finish the upgrade.")).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "answers this page" })).toContainText("1.5 s ahead");
  await expect(rows.filter({ hasText: "99.0.0" })).toContainText("About to stop");
  await expectAccessible(page);
  await page.unroute("**/admin/cluster");
  await expect(page.getByText("This server serves alone")).toBeVisible();
});
