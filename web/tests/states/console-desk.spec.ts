// What the desk shows of its lists and people, on the documents' examples.
import { expect, test } from "../support/pages";

const USUAL = { width: 1440, height: 900 };

test("places have names where there is a place search, and coordinates where there is none", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  await page.goto("/console/prices");
  await expect(page.getByRole("heading", { level: 2, name: /^Around MG Road, Ashok Nagar/ })).toBeVisible();
  answers.refuse("GET /places/reverse", 404, "NOT_FOUND");
  await page.reload();
  await expect(page.getByRole("heading", { level: 2, name: /^Around -?\d+\.\d{5}, -?\d+\.\d{5}$/ })).toBeVisible();
});
