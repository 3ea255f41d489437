// How much a phone on a bad network has to load before it shows the first page: 200 kB without the map.
import { newVehicle } from "../support/people";
import { signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";

const BUDGET_BYTES = 200_000;
const SHARE_BUDGET_BYTES = 110_000;

test("the first load is within its budget", async ({ browser, service }) => {
  const context = await browser.newContext({ locale: "en-IN", viewport: { width: 360, height: 740 }, serviceWorkers: "block" });
  const customer = await signInBrowser(context, service.url, service, "customer", "Asha");
  await newVehicle(customer);
  const page = await context.newPage();
  const { sum, list } = await weigh(page, `${service.url}/customer/`, ".problem");
  console.log(`first load: ${sum} bytes`, list);
  expect(sum).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(list.some(([name]) => /maplibre/.test(name))).toBe(false);
  await context.close();
});

test("a page by a link is small, and knows nothing of sessions", async ({ browser, service }) => {
  const context = await browser.newContext({ locale: "en-IN", viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response.text().catch(() => ""));
  });
  const { sum, list } = await weigh(page, `${service.url}/track/${"a".repeat(43)}`, "h1");
  console.log(`share page: ${sum} bytes`, list);
  expect(sum).toBeLessThanOrEqual(SHARE_BUDGET_BYTES);
  expect(scripts.length).toBeGreaterThan(0);
  for (const script of await Promise.all(scripts)) expect(script).not.toContain("auth/refresh");
  await context.close();
});

/** What came over the wire until `shown` is there: scripts, styles, fonts and the page itself. */
async function weigh(page: import("@playwright/test").Page, url: string, shown: string): Promise<{ sum: number; list: [string, number][] }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  const wanted = new Map<string, string>();
  const sizes = new Map<string, number>();
  devtools.on("Network.responseReceived", ({ requestId, response, type }) => {
    if (["Document", "Script", "Stylesheet", "Font"].includes(type)) wanted.set(requestId, response.url);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await page.goto(url);
  await expect(page.locator(shown).first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  const list = [...wanted].map(([id, address]): [string, number] => [new URL(address).pathname.split("/").at(-1) ?? "", sizes.get(id) ?? 0]);
  return { sum: list.reduce((all, [, bytes]) => all + bytes, 0), list };
}
