// A customer finds the place by its name, with the keyboard and by touch, on the narrowest phone.
import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { newVehicle } from "../support/people";
import type { Service } from "../support/service";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

const PLACE = "Search for a place";
const ADDRESS = /Describe the place/;

async function atThePlacePage(browser: Browser, service: Service): Promise<Page> {
  const { page, person } = await onPhone(browser, service, { viewport: { width: 320, height: 640 } });
  await newVehicle(person);
  await page.goto("/customer/");
  await page.getByRole("button", { name: /Flat tyre/ }).click();
  await expect(page.getByLabel(ADDRESS)).toBeVisible();
  return page;
}

test("a place is found with the keys, and its address is what the mechanic reads", async ({ browser, service }) => {
  const page = await atThePlacePage(browser, service);
  const field = page.getByRole("combobox", { name: PLACE });
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await field.fill("trinity");
  const option = page.getByRole("option", { name: /Trinity Circle/ });
  await expect(option).toBeVisible();
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page);
  await expectToFit(page);

  // Escape closes the list and keeps the text; Enter searches again.
  await field.press("Escape");
  await expect(option).toBeHidden();
  await expect(field).toHaveValue("trinity");
  await field.press("Enter");
  await expect(option).toBeVisible();
  await field.press("ArrowDown");
  await expect(option).toHaveAttribute("aria-selected", "true");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
  await field.press("Enter");
  await expect(option).toBeHidden();
  await expect(field).toHaveValue("Trinity Circle");
  await expect(page.getByLabel(ADDRESS)).toHaveValue(/^Trinity Circle, .*Bengaluru$/);
  await expect(page.getByText("The mechanic comes to the pin.")).toBeVisible();
  await expect(page.getByText("If left empty: 12.97300, 77.61700")).toBeVisible();
  await page.getByRole("button", { name: "Help me here" }).click();
  await expect(page).toHaveURL(/\/request\/price$/);
});

test("what somebody typed stays, wherever the pin goes", async ({ browser, service }) => {
  const page = await atThePlacePage(browser, service);
  await page.getByLabel(ADDRESS).fill("Blue gate");
  await page.getByRole("combobox", { name: PLACE }).fill("ulsoor lake");
  await page.getByRole("option", { name: /Ulsoor Lake/ }).click();
  await expect(page.getByText("The mechanic comes to the pin.")).toBeVisible();
  await expect(page.getByLabel(ADDRESS)).toHaveValue("Blue gate");
});

test("the address of a device's position is there without typing", async ({ browser, service }) => {
  const page = await atThePlacePage(browser, service);
  await page.context().grantPermissions(["geolocation"]);
  await page.context().setGeolocation({ latitude: 12.973, longitude: 77.617, accuracy: 8 });
  await page.getByRole("button", { name: "Use my location" }).click();
  await expect(page.getByLabel(ADDRESS)).toHaveValue(/^Trinity Circle, /);
});

test("a search that fails says so, and the map still works", async ({ browser, service }) => {
  const page = await atThePlacePage(browser, service);
  await page.route("**/api/v1/places?*", (route) =>
    route.fulfill({
      status: 502,
      json: { success: false, error: { code: "PROVIDER_ERROR", message: "Place search did not respond. Try again." } },
    }),
  );
  await page.getByRole("combobox", { name: PLACE }).fill("trinity");
  await expect(page.getByText("The search does not respond.", { exact: false })).toBeVisible();
  await page.unroute("**/api/v1/places?*");
  await page.getByRole("combobox", { name: PLACE }).fill("nowhere at all");
  await expect(page.getByText("Nothing found.", { exact: false })).toBeVisible();
});
