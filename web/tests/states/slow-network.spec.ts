// The page of the place on a slow network: the form first, and the map on request.
import { expect, test } from "../support/pages";
import { atHome } from "./customers";

/** Reports a slow mobile network, as browsers do. */
function slow(): void {
  Object.defineProperty(navigator, "connection", { value: { effectiveType: "3g", saveData: false } });
}

test("on a slow network the map comes only if it is asked for", async ({ open }) => {
  const { page, context, answers } = await open("customer");
  await context.addInitScript(slow);
  atHome(answers);
  const files: string[] = [];
  page.on("request", (request) => files.push(request.url()));
  await page.goto("/customer/");
  await page.locator(".problem").first().click();
  const show = page.getByRole("button", { name: "Show the map" });
  await expect(show).toBeVisible();
  await expect(page.getByText("Search for a place or show the map if the vehicle is elsewhere.")).toBeVisible();
  expect(files.filter((url) => url.includes("maplibre"))).toEqual([]);

  const library = page.waitForRequest(/maplibre/);
  await show.click();
  await library;
  await expect(show).toHaveCount(0);
});

test("without a position there is a map on a slow network too", async ({ open }) => {
  const { page, context, answers } = await open("customer", { permissions: [] });
  await context.addInitScript(slow);
  atHome(answers);
  await page.goto("/customer/");
  const library = page.waitForRequest(/maplibre/);
  await page.locator(".problem").first().click();
  await library;
  await expect(page.getByRole("button", { name: "Show the map" })).toHaveCount(0);
});
