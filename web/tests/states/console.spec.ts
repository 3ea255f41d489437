// Every page of the console with content: everybody can use it, and other people's texts never run as scripts.
import type { Page } from "@playwright/test";
import { areWanted, keepPicture } from "../support/pictures";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { expect, none, test } from "../support/pages";
import { settled } from "./look";

const lists = [
  "/verification",
  "/mechanic-changes",
  "/callbacks",
  "/disputes",
  "/no-shows",
  "/tow-reviews",
  "/ratings",
  "/grievances",
  "/upi",
  "/refunds",
  "/parked-payments",
  "/chargebacks",
  "/webhook-events",
  "/payments",
  "/withdrawals",
  "/settlements",
  "/people",
  "/mechanics",
  "/failed-pushes",
  "/partner-cases",
  "/partner-bills",
  "/partner-deliveries",
  "/organisations",
  "/settings/admins",
  "/settings/invites",
  "/settings/audit",
  "/settings/workshops",
];
const others = [
  "/jobs",
  "/jobs?view=list",
  "/jobs/new",
  "/account",
  "/no-such-page",
  "/now",
  "/figures",
  "/prices",
  "/roster",
  "/heat",
  "/servers",
  "/settings/dispatch",
  "/settings/privacy",
  "/settings/simulator",
  "/settings/categories",
  "/settings/categories/new",
  "/settings/workshops/new",
];
const JOB = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";
const CUSTOMER = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01";
const MECHANIC = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01";
const CASE = "019ceb77-7340-7b20-9e32-6d1f5aab7a01";
const ORGANISATION = "019ceb77-7340-7c30-8f43-7e2a6bbc6e01";
const GRIEVANCE = "019ceb90-1f40-7b20-9e32-6d1f5aab4101";
/** Pages of single objects. */
const ones = [
  `/jobs/${JOB}`,
  `/jobs/${JOB}?show=dispatch`,
  `/verification/${MECHANIC}`,
  `/disputes/${JOB}`,
  `/people/${CUSTOMER}`,
  `/grievances/${GRIEVANCE}`,
  `/mechanics/${MECHANIC}`,
  `/partner-cases/${CASE}`,
  `/organisations/${ORGANISATION}`,
  `/organisations/${ORGANISATION}/new-contract`,
];

/** The town's map, and a job selected on it. */
const maps = ["/", `/?job=${JOB}`];

/** Each colour scheme has pictures of a usual screen, and of another one. */
const screens = { dark: { width: 2560, height: 1440 }, light: { width: 390, height: 844 } };
const USUAL = { width: 1440, height: 900 };

/** Opens a page and waits for its content. */
async function go(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`);
  // The sign-in page, which appears before the session is resumed, also has a heading.
  await page.locator("#main h1").waitFor();
  await page.waitForFunction(
    () =>
      !document.querySelector("main [aria-busy=true], main .bone") &&
      ![...document.querySelectorAll("main [role=status]")].some((status) => status.textContent?.startsWith("Loading")),
  );
  await settled(page);
}

const nameOf = (path: string, { width }: { width: number }) =>
  `${path
    .slice(1)
    .replace(/[0-9a-f-]{36}/, "one")
    .replaceAll("/", "-")}-${width}`;

for (const path of [...lists, ...others, ...ones, ...maps]) {
  const tag = maps.includes(path) ? "@map" : [];
  test(`${path} is accessible and fits in both schemes`, { tag }, async ({ open }, info) => {
    const { page } = await open("console", { viewport: USUAL, colorScheme: "dark" });
    await go(page, path);
    for (const scheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await settled(page);
      await keepPicture(page, info, `${nameOf(path, USUAL)}-${scheme}`);
      await expectAccessible(page, { isOnlyRecoloured: scheme === "light" });
      if (scheme === "dark") await expectToFit(page, { wall: !lists.includes(path) });
      if (!areWanted) continue;
      await page.setViewportSize(screens[scheme]);
      await keepPicture(page, info, `${nameOf(path, screens[scheme])}-${scheme}`);
      await page.setViewportSize(USUAL);
    }
    for (const width of [1024, 640, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(page.locator("h1").first()).toBeAttached();
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  });
}

test("boards and tables that scroll sideways can be scrolled with the keyboard, also while they are empty", async ({
  open,
}) => {
  const { page, answers } = await open("console", { viewport: { width: 640, height: 700 } });
  for (const path of ["/figures", "/prices", "/roster", `/jobs/${JOB}`, `/organisations/${ORGANISATION}`]) {
    await go(page, path);
    await expectAccessible(page);
  }
  answers.everyBody = (body) => (isList(body) ? none(body) : body);
  for (const path of ["/jobs", "/jobs?view=list", ...lists]) {
    await go(page, path);
    await expectAccessible(page);
  }
  await go(page, "/jobs");
  const board = page.getByRole("region", { name: "Board" });
  await page.getByLabel("Kind of help").focus();
  await page.keyboard.press("Tab");
  await expect(board).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => board.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
});

const isList = (body: unknown): body is { data: unknown[] } =>
  typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data);

test("colours are chosen on every page, and kept", async ({ open }) => {
  const { page } = await open("console", { viewport: USUAL, colorScheme: "dark" });
  await go(page, "/jobs");
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  await page.getByRole("button", { name: "Light", exact: true }).click();
  await expect.poll(ground).not.toBe(dark);
  await page.reload();
  await expect.poll(ground).not.toBe(dark);
  await page.getByRole("button", { name: "As the device", exact: true }).click();
  await expect.poll(ground).toBe(dark);
});

test("the dialog of a refund is accessible in both schemes", async ({ open }, info) => {
  const { page } = await open("console", { viewport: USUAL, colorScheme: "dark" });
  await go(page, "/payments");
  await page.locator('main button[aria-keyshortcuts="e"]').first().waitFor();
  await page.keyboard.press("e");
  await page.getByRole("dialog").waitFor();
  for (const scheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await keepPicture(page, info, nameOf("/payments-refund", USUAL));
    await expectAccessible(page);
  }
});

test("an action whose dialog is closed while it is sent still says what became of it", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const send = async (reason: string) => {
    await page.locator('main button[aria-keyshortcuts="e"]').first().waitFor();
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Amount/).fill("20.5");
    await dialog.getByLabel("Reason").fill(reason);
    const release = await answers.hold("POST /payments/{id}/refunds");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await release();
  };
  await go(page, "/payments");
  await send("Goodwill after a long wait.");
  await expect(page.locator(".toast.good")).toBeVisible();
  answers.refuse("POST /payments/{id}/refunds", 409, "CONFLICT");
  await send("Once more.");
  await expect(page.locator(".toast.bad")).toBeVisible();
});
