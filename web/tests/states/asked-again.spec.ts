// A request that was refused but is still wanted.
import { expect, test } from "../support/pages";
import { atHome } from "./customers";

test("a request that was refused is another one when it is sent again", async ({ open }) => {
  const { page, answers } = await open("customer");
  atHome(answers);
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/v1/jobs"))
      keys.push(request.headers()["idempotency-key"]);
  });
  await page.goto("/customer/");
  await page.locator(".problem").first().click();
  await page.getByRole("button", { name: "Help me here" }).click();
  const send = page.getByRole("button", { name: /Send a mechanic|Ask anyway/ });

  // The service repeats a refusal for the same key, even if the obstacle is gone.
  answers.refuse("POST /jobs", 409, "ACTIVE_JOB_EXISTS");
  await send.click();
  await expect(page.getByRole("alert")).toBeVisible();
  answers.forget("POST /jobs");
  await send.click();
  await expect(page).toHaveURL(/\/customer\/jobs\//);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
});
