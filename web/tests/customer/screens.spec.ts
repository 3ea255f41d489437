// Every page as a person sees it: no barriers, nothing wider than the screen.
import type { Browser, BrowserContext, Page, TestInfo } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { keepPicture } from "../support/pictures";
import { Mechanic, newAdmin, newJob, newVehicle, north, type Person } from "../support/people";
import { signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";
import type { Service } from "../support/service";

const HERE = { lat: 12.9716, lng: 77.5946 };

interface Look {
  name: string;
  viewport: { width: number; height: number };
  colorScheme: "light" | "dark";
  locale: string;
}
const LOOKS: Look[] = [
  { name: "phone-light-en", viewport: { width: 360, height: 740 }, colorScheme: "light", locale: "en-IN" },
  { name: "phone-dark-kn", viewport: { width: 360, height: 740 }, colorScheme: "dark", locale: "kn-IN" },
  { name: "desktop-dark-en", viewport: { width: 1280, height: 800 }, colorScheme: "dark", locale: "en-IN" },
  { name: "desktop-light-kn", viewport: { width: 1280, height: 800 }, colorScheme: "light", locale: "kn-IN" },
];

async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  await expect(page.locator("h1")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.locator("[aria-busy=true]"), "everything is loaded and drawn").toHaveCount(0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
  await keepPicture(page, info, name, { fullPage: !name.includes("map") });
  await expectAccessible(page);
  // Narrow screens are where large text and the other direction break first.
  if (info.title.includes("phone")) await expectToFit(page);
}

async function open(
  browser: Browser,
  service: Service,
  wanted: Look,
): Promise<{ context: BrowserContext; page: Page; customer: Person }> {
  const { name: _, ...options } = wanted;
  const context = await browser.newContext({
    ...options,
    geolocation: { latitude: HERE.lat, longitude: HERE.lng, accuracy: 12 },
    permissions: ["geolocation"],
    reducedMotion: "reduce",
    baseURL: service.url,
  });
  const customer = await signInBrowser(context, service.url, service, "customer", "Asha");
  return { context, page: await context.newPage(), customer };
}

for (const wanted of LOOKS) {
  test(`every page, ${wanted.name}`, { tag: "@map" }, async ({ browser, service }, info) => {
    test.setTimeout(600_000);
    const admin = await newAdmin(service);
    const mechanic = await Mechanic.register(service, admin, "Ravi", north(HERE, 1500));
    await mechanic.goOnline();
    const { context, page, customer } = await open(browser, service, wanted);
    const see = (name: string) => look(page, info, name);
    const go = async (path: string) => {
      await page.goto(`/customer${path}`);
    };

    await go("/");
    await expect(page.locator(".types")).toBeVisible();
    await see("01-home-first");
    await page.locator(".type").nth(0).click();
    await page.locator(".problem").first().click();
    await expect(page.locator(".sheet")).toBeVisible();
    await expect(page.locator(".pin")).toBeVisible();
    await see("02-place-map");
    await page.locator(".sheet button[type=submit]").click();
    await expect(page.locator("input.plate")).toBeVisible();
    await page.locator("form button[type=submit]").click();
    await see("03-vehicle-missing");
    const vehicle = await newVehicle(customer);
    await newVehicle(customer, {
      vehicle_type: "four_wheeler",
      make: "Maruti Suzuki",
      model: "Swift Dzire",
      color: "White",
    });
    await go("/");
    await expect(page.locator(".vehicles")).toBeVisible();
    await see("04-home");
    await page.locator(".vehicles .card").first().click();
    await page.locator(".problem").first().click();
    await expect(page.locator(".pin")).toBeVisible();
    await page.locator(".sheet input:not([role=combobox])").fill("Opposite the post office, blue gate");
    await page.locator(".sheet button[type=submit]").click();
    await expect(page.locator(".amount")).toBeVisible();
    await page.locator("details summary").nth(1).click();
    await page.locator("details .check input").first().check();
    await see("05-price");
    await go("/");
    await page.locator(".vehicles .card").last().click();
    await page.locator(".problem").nth(2).click();
    await expect(page.locator(".pin")).toBeVisible();
    await page.locator(".sheet button[type=submit]").click();
    await expect(page).toHaveURL(/\/request\/destination$/);
    await page
      .locator("label", { has: page.locator("input[type=radio]") })
      .first()
      .click();
    await expect(page.locator(".pin")).toBeVisible();
    await see("26-destination");

    await mechanic.goOffline();
    const job = await newJob(customer, vehicle, HERE);
    await go(`/jobs/${job.id}`);
    await expect(page.locator(".actions")).toBeVisible();
    await expect(page.locator(".maplibregl-canvas")).toBeVisible();
    await see("06-searching");
    await mechanic.goOnline();
    const accepted = await mechanic.accept(job.id);
    await mechanic.setOut(job.id);
    await mechanic.move(north(HERE, 1100));
    await expect(page.locator(".eta")).toBeVisible();
    await see("07-on-the-way");
    await page.locator(".actions button").first().click();
    await page.locator("dialog[open] .button.primary").click();
    await expect(page.locator("dialog[open] input.link")).toBeVisible();
    await see("08-share");
    await page.keyboard.press("Escape");
    await page.locator(".actions .danger").click();
    await expect(page.locator("dialog[open] fieldset")).toBeVisible();
    await see("09-cancel");
    await page.keyboard.press("Escape");
    await mechanic.arrive(accepted);
    await expect(page.locator(".code.now")).toBeVisible();
    await see("10-arrived");
    const { start_code } = await customer.get<{ start_code: string }>(`/jobs/${job.id}`);
    await mechanic.start(job.id, start_code);
    const item = await mechanic.propose(job.id, "New inner tube", 180, { quantity: 2 });
    await mechanic.propose(job.id, "Valve", 40);
    await customer.post(`/jobs/${job.id}/line-items/${item.id}/approve`, { version: item.version });
    await expect(page.locator(".items.asks li")).toHaveCount(2);
    await see("11-items");
    await page.locator(".decide .button").first().click();
    await expect(page.locator(".decide")).toHaveCount(0);
    await mechanic.complete(job.id);
    await expect(page.locator(".rate")).toBeVisible();
    await page.locator(".stars label").nth(4).click();
    await see("12-completed");
    await go(`/jobs/${job.id}/pay`);
    await expect(page.locator(".amount")).toBeVisible();
    await see("13-pay");
    await page.locator(".button.primary").click();
    await expect(page.locator(".test")).toBeVisible();
    await see("14-test-payment");
    await page.locator(".test .primary").click();
    await expect(page.locator(".done")).toBeVisible();
    await see("15-paid");
    await go(`/jobs/${job.id}`);
    await expect(page.locator(".rate")).toBeVisible();
    await see("16-job-paid");
    await go(`/jobs/${job.id}/dispute`);
    await expect(page.locator("form fieldset")).toBeVisible();
    await see("17-dispute-new");
    await customer.post(`/jobs/${job.id}/dispute`, {
      reason_code: "overcharged",
      description: "The tube was half as much in the shop.",
    });
    await mechanic.person.post(`/jobs/${job.id}/dispute/statements`, {
      statement: "It is the better brand, I have the bill.",
    });
    await go(`/jobs/${job.id}/dispute`);
    await expect(page.locator("ol li")).toHaveCount(2);
    await see("18-dispute");
    await mechanic.goOffline();
    const other = await newJob(customer, vehicle, HERE);
    await customer.post(`/jobs/${other.id}/cancel`, { reason_code: "changed_mind" });
    await go(`/jobs/${other.id}`);
    await see("19-cancelled");
    await go("/history");
    await expect(page.locator(".card").first()).toBeVisible();
    await see("20-history");
    await go("/vehicles");
    await expect(page.locator("main li").first()).toBeVisible();
    await see("21-vehicles");
    await page.locator("main li a").last().click();
    await expect(page.locator("input.plate")).toBeVisible();
    await see("22-vehicle");
    await go("/fees");
    await see("23-fees");
    await go("/account");
    await see("24-account");
    await go("/notifications");
    await see("25-notifications");
    await context.close();
  });
}
