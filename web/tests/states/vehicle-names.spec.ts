// Makes and models are suggested while somebody types what their vehicle is called.
import { expect, test } from "../support/pages";

test("the form of a vehicle suggests makes and models, and knows the make of a model", async ({ open }) => {
  const { page } = await open("customer");
  await page.goto("/customer/vehicles/new");
  const [make, model] = [page.getByLabel("Make", { exact: true }), page.getByLabel("Model", { exact: true })];
  await page.getByRole("radio").first().check();
  const suggested = (field: typeof make) =>
    field.evaluate((input) => [...((input as HTMLInputElement).list?.options ?? [])].map(({ value }) => value));
  expect(await suggested(make)).toContain("Royal Enfield");

  await model.fill("Activa");
  await model.blur();
  await expect(make).toHaveValue("Honda");
  expect(await suggested(model)).toEqual(expect.arrayContaining(["Activa", "Shine"]));
  expect(await suggested(model)).not.toContain("Pulsar");

  await make.fill("Lambretta");
  await expect(model).toHaveValue("Activa");
  expect(await suggested(model)).toEqual([]);
});
