// How a place is specified: by its name, and by coordinates.
import { examples, expect, none, test } from "../support/pages";
import { atHome } from "./customers";

test("the list of found places moves nothing on the page, so that one press beside it is enough", async ({ open }) => {
  const { page, answers } = await open("customer");
  atHome(answers);
  await page.goto("/customer/");
  await page.locator(".problem").first().click();
  // The address of the device's position appears automatically.
  await expect(page.getByLabel(/Describe the place/)).toHaveValue(/MG Road/);
  const help = page.getByRole("button", { name: "Help me here" });
  const top = () => help.evaluate((button) => Math.round(button.getBoundingClientRect().top + scrollY));
  const before = await top();
  const field = page.getByRole("combobox", { name: "Search for a place" });
  const option = page.getByRole("option", { name: /Trinity Circle/ });

  await field.fill("trinity");
  await expect(option).toBeVisible();
  expect(await top()).toBe(before);
  answers.give("GET /places", none);
  await field.fill("nowhere at all");
  await expect(page.getByText("Nothing found.", { exact: false })).toBeVisible();
  expect(await top()).toBe(before);
  await field.blur();
  await expect(page.getByText("Nothing found.", { exact: false })).toHaveCount(0);
  expect(await top()).toBe(before);

  answers.forget("GET /places");
  await field.fill("trinity");
  await expect(option).toBeVisible();
  await help.click();
  await expect(page).toHaveURL(/\/request\/price$/);
});

test("a place in numbers can be sent as soon as it is typed, and not while it is none", async ({ open }) => {
  const { page } = await open(null, { permissions: [] });
  const sent: unknown[] = [];
  await page.route("**/place-requests/*", (route) => {
    if (route.request().method() === "POST") sent.push(route.request().postDataJSON());
    return route.fulfill({ json: examples().of("WhereAsked") });
  });
  await page.goto("/where/4k7m2p9xtd");
  await page.getByRole("button", { name: "Choose the place on a map" }).click();
  const send = page.getByRole("button", { name: "Send this place" });
  const [latitude, longitude] = [page.getByLabel("Latitude"), page.getByLabel("Longitude")];
  await latitude.fill("12.973");
  await expect(send).toBeDisabled();
  await longitude.fill("77.617");
  await expect(send).toBeEnabled();
  await longitude.fill("");
  await expect(send).toBeDisabled();
  await longitude.fill("77.618");
  await send.click();
  await expect.poll(() => sent).toEqual([{ lat: 12.973, lng: 77.618 }]);
});
