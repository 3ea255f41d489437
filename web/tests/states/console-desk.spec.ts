// The desk's lists and people, with the examples from the API documents.
import { expectAccessible } from "../support/axe";
import { examples, expect, none, test } from "../support/pages";
import { settled } from "./look";

const USUAL = { width: 1440, height: 900 };
const JOB = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";
const MECHANIC = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01";

test("places have names where there is a place search, and coordinates where there is none", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  await page.goto("/console/prices");
  await expect(page.getByRole("heading", { level: 2, name: /^Around MG Road, Ashok Nagar/ })).toBeVisible();
  answers.refuse("GET /places/reverse", 404, "NOT_FOUND");
  await page.reload();
  await expect(page.getByRole("heading", { level: 2, name: /^Around -?\d+\.\d{5}, -?\d+\.\d{5}$/ })).toBeVisible();
});

test("a list is filtered by a mechanic's name, and the address keeps who it is", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const asked: (string | null)[] = [];
  answers.give("GET /admin/withdrawals", (example, { query }) => {
    asked.push(query.get("mechanic_profile_id"));
    return example;
  });
  await page.goto("/console/withdrawals");
  const field = page.getByRole("combobox", { name: "Mechanic" });
  await field.fill("rav");
  await expect(page.getByRole("option", { name: /Ravi Kumar/ }).first()).toBeVisible();
  await expectAccessible(page);
  await field.press("Enter");
  await expect(page).toHaveURL(new RegExp(`mechanic_profile_id=${MECHANIC}`));
  await expect.poll(() => asked.at(-1)).toBe(MECHANIC);
  await page.reload();
  await expect(field).toHaveValue("Ravi Kumar");
  // Typed text that was not chosen from the list does not filter.
  await field.fill("ravi kumaraswamy");
  await field.press("Escape");
  await expect(field).toHaveValue("Ravi Kumar");
  await field.fill("");
  await expect.poll(() => asked.at(-1)).toBeNull();
  await expect(page).not.toHaveURL(/mechanic_profile_id/);
});

test("the navigation has the page that is shown in view, at whichever end of it", async ({ open }) => {
  const { page } = await open("console", { viewport: { width: 1280, height: 480 } });
  await page.goto("/console/servers");
  const nav = page.getByRole("navigation", { name: "Pages", exact: true });
  const here = nav.locator("[aria-current]");
  await expect(here).toContainText("Servers");
  await expect(here).toBeInViewport({ ratio: 1 });
  // The keys g and j open a page at the other end of the list.
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await expect(here).toContainText("Jobs");
  await expect(here).toBeInViewport({ ratio: 1 });
  // On a phone the current page is visible once the list is opened.
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto("/console/servers");
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(here).toBeInViewport({ ratio: 1 });
});

test("a mechanic who serves everything takes no more lines than another one", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const [category] = examples().answer("GET /service-categories").data;
  if (!category) throw new Error("the document has no category");
  const names = ["Flat tyre", "Dead battery", "Out of fuel", "Locked out", "Chain repair", "Towing to a workshop"];
  const kinds = names.map((name, n) => ({ ...category, id: category.id.slice(0, -1) + String(n), name }));
  answers.give("GET /service-categories", (example) => ({ ...example, data: kinds }));
  const mechanic = examples().of("MechanicForAdmin");
  const serves = (id: string, name: string, count: number) => ({
    ...mechanic,
    id,
    name,
    verified_name: name,
    service_category_ids: kinds.slice(0, count).map((kind) => kind.id),
    vehicle_types: (["four_wheeler", "two_wheeler", "three_wheeler", "commercial"] as const).slice(0, count),
  });
  answers.give("GET /admin/mechanics", (example) => ({
    ...example,
    total: 2,
    data: [serves(mechanic.id, "Ravi", 1), serves(mechanic.user_id, "Anil", names.length)],
  }));
  await page.goto("/console/mechanics");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  await expect(row("Anil")).toContainText("Flat tyre, Dead battery and 4 more");
  await expect(row("Anil")).toContainText("Car and 3 more");
  const height = async (name: string) => (await row(name).boundingBox())?.height ?? 0;
  // Half a pixel may be a border's; a line has sixteen or more.
  expect(Math.abs((await height("Anil")) - (await height("Ravi")))).toBeLessThan(8);
  // The complete list is in the panel next to the table.
  await page.keyboard.press("j");
  await expect(page.getByRole("complementary", { name: "Selected row" })).toContainText("Towing to a workshop");
  // The panel covers no column.
  const table = page.getByRole("region", { name: "Mechanics, table" });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("the photos of a job are shown once they come into sight, and open large", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: { width: 1440, height: 320 } });
  const photo = "https://api.example.com/uploads/019ceb76-f000-7b20-9e32-6d1f5aab5a01/file";
  answers.give("GET /admin/jobs/{id}", (job) => ({ ...job, photo_urls: [photo] }));
  await page.goto(`/console/jobs/${JOB}`);
  const panel = page.getByRole("region", { name: "Photos" });
  await expect(panel).toBeAttached();
  await settled(page);
  // Opening a file leaves an entry in the audit log, so the page does not open it by itself.
  expect(answers.asked).not.toContain("GET /uploads/{id}/link");
  await panel.scrollIntoViewIfNeeded();
  const tile = panel.getByRole("button", { name: "Open photo 1 of the damage" });
  await expect
    .poll(() => tile.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await tile.click();
  await expect(page.getByRole("dialog", { name: "photo 1 of the damage" })).toBeVisible();
});

test("several rows of a queue are decided at once, and what failed stays marked", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const change = examples().of("MechanicChange");
  const ids = [1, 2, 3].map((n) => change.id.slice(0, -1) + String(n));
  const waiting = new Set(ids);
  answers.give("GET /admin/mechanic-changes", (example) => ({
    ...example,
    total: waiting.size,
    data: [...waiting].map((id) => ({ ...change, id, mechanic_name: `Mechanic ${id.at(-1)}` })),
  }));
  const [, , refused = ""] = ids;
  await page.route(/\/admin\/mechanic-changes\/[^/]+\/approve$/, async (route) => {
    const id = route.request().url().split("/").at(-2) ?? "";
    if (id === refused) {
      const error = { code: "CONFLICT", message: "Another admin has decided.", request_id: "0" };
      return route.fulfill({ status: 409, json: { success: false, error } });
    }
    waiting.delete(id);
    return route.fallback();
  });
  await page.goto("/console/mechanic-changes");
  await page.getByRole("checkbox", { name: "Mark all rows" }).check();
  const marked = page.getByRole("group", { name: "Actions for the marked rows" });
  await expect(marked).toContainText("3 marked");
  await expectAccessible(page);
  await marked.getByRole("button", { name: "Approve 3" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 3 changes" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.locator(".toast.bad")).toContainText(
    "Approve: 2 of 3 done. Mechanic 3: Another admin has decided.",
  );
  await expect(page.getByRole("checkbox", { name: "Mark Mechanic 3" })).toBeChecked();
  await expect(marked).toContainText("1 marked");
  await marked.getByRole("button", { name: "Unmark" }).click();
  await expect(marked).toBeHidden();
});

test("a mechanic is verified beside the document, which can be looked at meanwhile", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const file_url = "https://api.example.com/uploads/019ceb76-f000-7b20-9e32-6d1f5aab5a01/file";
  answers.give("GET /admin/mechanics/{id}", (mechanic) => ({
    ...mechanic,
    status: "pending_verification" as const,
    documents: (mechanic.documents ?? []).slice(0, 1).map((document) => ({ ...document, file_url })),
  }));
  await page.goto(`/console/verification/${MECHANIC}`);
  const picture = page.locator("figure img");
  await expect(picture).toBeVisible();
  await page.locator('main button[aria-keyshortcuts="v"]').waitFor();
  await page.keyboard.press("v");
  const name = page.getByLabel("Name that the documents prove");
  await expect(name).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(picture).toBeInViewport();
  await name.fill("Ravi K Kumar");
  await page.getByRole("button", { name: /^Zoom into/ }).click();
  // Keys pressed outside the form neither send nor close it.
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Escape");
  await expect(name).toHaveValue("Ravi K Kumar");
  await expectAccessible(page);
  // Another decision replaces this one.
  await page.getByRole("button", { name: /^Reject/ }).click();
  await expect(name).toHaveCount(0);
  await expect(page.getByLabel("Reason")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Reason")).toHaveCount(0);
  expect(answers.asked).not.toContain("POST /admin/mechanics/{id}/verify");
  expect(answers.asked).not.toContain("POST /admin/mechanics/{id}/reject");
});

test("the board of concerns shows a job whose mechanic should have been there", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const [listed] = examples().answer("GET /admin/jobs").data;
  if (!listed) throw new Error("the document has no job");
  const driving = {
    ...listed,
    status: "en_route" as const,
    concern: null,
    callback: null,
    accepted_at: "2026-03-14T08:10:00.000Z",
    en_route_at: "2026-03-14T08:11:00.000Z",
  };
  const overdue = { ...driving, customer_name: "Meera Iyer", promised_at: "2026-03-14T08:30:00.000Z" };
  const inTime = {
    ...driving,
    id: `${listed.id.slice(0, -1)}9`,
    customer_name: "Asha Rao",
    promised_at: "2026-03-14T09:10:00.000Z",
  };
  answers.give("GET /admin/jobs", (list, { query }) =>
    query.get("status")?.includes("en_route") ? { ...list, total: 2, data: [inTime, overdue] } : none(list),
  );
  await page.goto("/console/jobs?alarm=concern");
  const cards = page.locator("main a.card");
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText("Meera Iyer");
  await expect(cards).toContainText("Over the promise");
  // Among all jobs it comes first.
  await page.getByRole("combobox", { name: "Alarms" }).selectOption("");
  await expect(cards).toContainText(["Meera Iyer", "Asha Rao"]);
  await expect(page.getByText("Over the promise", { exact: true }).and(page.locator(".said"))).toHaveCount(1);
});
