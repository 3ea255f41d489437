// Measures how much a phone on a bad network has to load: everything that crosses the network, for pages and workers.
import type { BrowserContextOptions, Page } from "@playwright/test";
import { newVehicle } from "../support/people";
import { signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";
import { Wire } from "../support/wire";

/** Up to the first page, without the map. */
const BUDGET_BYTES = 200_000;
/** Including the files that the worker caches so that every page of the app opens without a network. */
const WHOLE_BUDGET_BYTES = 348_000;
const SHARE_BUDGET_BYTES = 110_000;
/** From the first page to the price on a slow network, including the files that the worker caches. */
const REQUEST_BUDGET_BYTES = 352_000;

const phone: BrowserContextOptions = { locale: "en-IN", viewport: { width: 360, height: 740 } };

test("the first load is within its budget, with the letters of one language alone", async ({ browser, service }) => {
  for (const [locale, script] of [
    ["en-IN", null],
    ["hi-IN", "devanagari"],
    ["kn-IN", "kannada"],
  ] as const) {
    const wire = await Wire.to(service.url);
    const context = await browser.newContext({ ...phone, locale, serviceWorkers: "block", baseURL: wire.url });
    const customer = await signInBrowser(context, wire.url, service, "customer", "Asha");
    await newVehicle(customer);
    wire.received = 0;
    const page = await context.newPage();
    const files = loaded(page);
    await page.goto("/customer/");
    await expect(page.locator(".problem").first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    console.log(`first load in ${locale}: ${wire.received} bytes`);
    const fonts = files.filter((name) => name.endsWith(".woff2")).map((name) => /^noto-sans-([a-z]+)/.exec(name)?.[1]);
    expect(fonts.sort(), locale).toEqual(script === null ? ["latin"] : [script, "latin"].sort());
    if (script === null) expect(wire.received, files.join(" ")).toBeLessThanOrEqual(BUDGET_BYTES);
    expect(files.some((name) => /maplibre/.test(name))).toBe(false);
    await context.close();
    wire.close();
  }
});

test("the app with all its pages is kept for later, within its budget, and then starts without a network", async ({
  browser,
  service,
}) => {
  const wire = await Wire.to(service.url);
  const context = await browser.newContext({ ...phone, locale: "hi-IN", baseURL: wire.url });
  const customer = await signInBrowser(context, wire.url, service, "customer", "Asha");
  await newVehicle(customer);
  wire.received = 0;
  const page = await context.newPage();
  await page.goto("/customer/");
  await expect(page.locator(".problem").first()).toBeVisible();
  const kept = () =>
    page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const names = await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => url.split("/").at(-1) ?? ""),
        ),
      );
      return names.flat();
    });
  await expect
    .poll(async () =>
      (await kept())
        .filter((name) => name.endsWith(".woff2"))
        .map((name) => /^noto-sans-([a-z]+)/.exec(name)?.[1])
        .sort(),
    )
    .toEqual(["devanagari", "latin"]);
  await page.waitForLoadState("networkidle");
  const devanagari = 121_192;
  console.log(`with what is kept for later: ${wire.received} bytes in Hindi, ${wire.received - devanagari} in English`);
  expect(wire.received - devanagari).toBeLessThanOrEqual(WHOLE_BUDGET_BYTES);

  await context.setOffline(true);
  await page.reload();
  await expect(page.locator("h1").first()).toBeVisible();
  expect(
    await page.evaluate(() =>
      [...document.fonts].some(({ family, status }) => family.includes("Devanagari") && status === "loaded"),
    ),
  ).toBe(true);
  wire.close();
});

test("on a slow network a first call for help gets to its price within its budget, without the map", async ({
  browser,
  service,
}) => {
  const wire = await Wire.to(service.url);
  const context = await browser.newContext({
    ...phone,
    baseURL: wire.url,
    geolocation: { latitude: 12.97297, longitude: 77.61701, accuracy: 12 },
    permissions: ["geolocation"],
  });
  await context.addInitScript(() =>
    Object.defineProperty(navigator, "connection", { value: { effectiveType: "3g", saveData: false } }),
  );
  const customer = await signInBrowser(context, wire.url, service, "customer", "Asha");
  await newVehicle(customer);
  wire.received = 0;
  const page = await context.newPage();
  const files = loaded(page);
  await page.goto("/customer/");
  await page.locator(".problem").first().click();
  await expect(page.getByRole("button", { name: "Show the map" })).toBeVisible();
  await expect(page.getByText("This is your position.")).toBeVisible();
  await page.locator(".sheet input:not([role=combobox])").fill("Opposite the post office, blue gate");
  await page.getByRole("button", { name: "Help me here" }).click();
  await expect(page.locator(".amount")).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForLoadState("networkidle");
  console.log(`first use to the price: ${wire.received} bytes`);
  expect(files.some((name) => /maplibre/.test(name))).toBe(false);
  expect(wire.received, files.join(" ")).toBeLessThanOrEqual(REQUEST_BUDGET_BYTES);
  wire.close();
});

test("a page by a link is small, and knows nothing of sessions", async ({ browser, service }) => {
  const wire = await Wire.to(service.url);
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response.text().catch(() => ""));
  });
  await page.goto(`${wire.url}/track/${"a".repeat(43)}`);
  await expect(page.locator("h1").first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  console.log(`share page: ${wire.received} bytes`);
  expect(wire.received).toBeLessThanOrEqual(SHARE_BUDGET_BYTES);
  expect(scripts.length).toBeGreaterThan(0);
  for (const script of await Promise.all(scripts)) expect(script).not.toContain("auth/refresh");
  wire.close();
});

/** Returns the names of the files that a page loads, as they arrive. */
function loaded(page: Page): string[] {
  const files: string[] = [];
  page.on("response", (response) => files.push(new URL(response.url()).pathname.split("/").at(-1) ?? ""));
  return files;
}
