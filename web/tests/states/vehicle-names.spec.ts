// Makes and models are suggested while a person types the name of their vehicle.
import { expect, test } from "../support/pages";

test("the form of a vehicle suggests makes and models, and knows the make of a model", async ({ open }) => {
  const { page } = await open("customer");
  await page.goto("/customer/vehicles/new");
  const [make, model] = [page.getByLabel("Make", { exact: true }), page.getByLabel("Model", { exact: true })];
  await page.getByRole("radio").first().check();
  const suggested = (field: typeof make) =>
    field.evaluate((input) => [...((input as HTMLInputElement).list?.options ?? [])].map(({ value }) => value));
  expect(await suggested(make)).toContain("Royal Enfield");

  // The make is applied at once: a button may be pressed while the field still has the focus.
  await model.fill("Pulsar");
  await expect(make).toHaveValue("Bajaj");
  await model.fill("Activa");
  await expect(make).toHaveValue("Honda");
  expect(await suggested(model)).toEqual(expect.arrayContaining(["Activa", "Shine"]));
  expect(await suggested(model)).not.toContain("Pulsar");

  await make.fill("Lambretta");
  await expect(model).toHaveValue("Activa");
  expect(await suggested(model)).toEqual([]);
  await model.fill("Pulsar");
  await expect(make).toHaveValue("Lambretta");
});

test("whoever needs help gives the plate alone, and a vehicle without a name is called by its type", async ({
  open,
}) => {
  const { page, answers } = await open("customer");
  const sent: unknown[] = [];
  answers.give("POST /vehicles", (vehicle, { body }) => {
    sent.push(body);
    return { ...vehicle, make: "", model: "" };
  });
  await page.goto("/customer/request/vehicle");
  await expect(page.getByLabel("Make")).toBeHidden();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Please fill this in.")).toHaveCount(1);
  await page.getByLabel("Number plate").fill("KA05MK77");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect.poll(() => sent).toMatchObject([{ registration_number: "KA05MK77", make: null, model: null }]);

  answers.give("GET /vehicles", (list) => ({
    ...list,
    data: list.data.map((one) => ({ ...one, make: "", model: "" })),
  }));
  await page.goto("/customer/vehicles");
  await expect(page.getByRole("listitem").first().locator("b")).toHaveText("Scooter or motorcycle");
});
