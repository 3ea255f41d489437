// Requests that wait on the device: until they are too old, or are dropped, here or in another tab.
import type { Page } from "@playwright/test";
import { expect, none, NOW, test, type Answers } from "../support/pages";
import { pixel } from "../support/pixel";
import { arrived, atWork, working } from "./at-work";
import { atHome } from "./customers";

const MINUTE_MS = 60_000;
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
/** Brings a customer to the price, which they only have to accept. */
async function atThePrice(page: Page, answers: Answers): Promise<void> {
  atHome(answers);
  await page.goto("/customer/");
  await page.locator(".problem").first().click();
  await page.getByRole("button", { name: "Help me here" }).click();
}
const sendOf = (page: Page) => page.getByRole("button", { name: /Send a mechanic|Ask anyway/ });
const waitingOf = (page: Page) => page.getByRole("region", { name: "Waiting to be sent" });

test("a request that is too old is asked about, and is the same one when it is sent again", async ({ open }) => {
  const { page, context, answers } = await open("customer");
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/v1/jobs"))
      keys.push(request.headers()["idempotency-key"]);
  });
  await atThePrice(page, answers);
  const bringBack = await answers.cut("POST /jobs");
  await sendOf(page).click();
  await expect(page.getByText("No answer yet.", { exact: false })).toBeVisible();
  await expect(sendOf(page)).toHaveAttribute("aria-busy", "true");

  await context.clock.setFixedTime(later(6));
  await expect(page.getByText("Do you still need help at the same place?", { exact: false })).toBeVisible();
  await expect(sendOf(page)).toHaveAttribute("aria-busy", "false");
  await bringBack();
  await sendOf(page).click();
  await expect(page).toHaveURL(/\/customer\/jobs\//);
  expect(new Set(keys).size).toBe(1);
});

test("an end of the work that is too old is asked about, and can be said anew", async ({ open }) => {
  const { page, context, answers } = await open("mechanic");
  atWork(answers, working);
  await page.goto("/mechanic/job");
  const bringBack = await answers.cut("POST /jobs/{id}/complete");
  await page.getByRole("button", { name: "Finish the work" }).click();
  const done = page.getByRole("dialog").getByRole("button", { name: "The work is done" });
  await done.click();
  const again = waitingOf(page).getByRole("button", { name: "Send now" });
  await expect(waitingOf(page).getByRole("listitem")).toHaveText(/Finish the work/);
  await expect(done).toHaveAttribute("aria-busy", "true");
  await expect(again).toHaveCount(0);

  await context.clock.setFixedTime(later(12 * 60 + 1));
  await expect(again).toBeVisible();
  await expect(done).toHaveAttribute("aria-busy", "false");
  await bringBack();
  await done.click();
  await expect(waitingOf(page)).toBeHidden();
  const completions = () => answers.asked.filter((operation) => operation === "POST /jobs/{id}/complete");
  await expect.poll(completions).toHaveLength(1);
});

test("two quick presses drop one photo, which leaves the page", async ({ open }) => {
  const { page, context, answers } = await open("mechanic");
  atWork(answers, arrived);
  answers.give("GET /jobs/{id}/photos", none);
  await answers.cut("POST /uploads/presign");
  await page.goto("/mechanic/job");
  const field = page.getByRole("group", { name: "Photos of the work" });
  await field
    .locator("input[type=file]")
    .last()
    .setInputFiles([pixel("1.png"), pixel("2.png")]);
  await expect(field.getByRole("progressbar")).toHaveCount(2);
  // Entries are shown once they have been on their way for a few seconds.
  let minutes = 0;
  const shown = async () => {
    await context.clock.setFixedTime(later(++minutes));
    return waitingOf(page).getByRole("listitem").count();
  };
  await expect.poll(shown).toBe(2);
  await waitingOf(page).getByRole("button", { name: "Don't send" }).first().dblclick();
  await expect(waitingOf(page).getByRole("listitem")).toHaveCount(1);
  await expect(field.getByRole("progressbar")).toHaveCount(1);
  await expect(field.getByRole("alert")).toHaveCount(0);
});

test("a step is sent while a photo has no answer", async ({ open }) => {
  const { page, context, answers } = await open("mechanic");
  atWork(answers, working);
  answers.give("GET /jobs/{id}/photos", none);
  const release = await answers.hold("POST /uploads/presign");
  await page.goto("/mechanic/job");
  const field = page.getByRole("group", { name: "Photos of the work" });
  const announced = page.waitForRequest("**/uploads/presign");
  await field.locator("input[type=file]").last().setInputFiles(pixel("1.png"));
  await announced;
  // An entry is shown once it has been on its way for a few seconds.
  await context.clock.setFixedTime(later(1));
  await expect(waitingOf(page).getByRole("listitem")).toHaveText(/Photo/);
  await page.getByRole("button", { name: "Finish the work" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "The work is done" }).click();
  await expect.poll(() => answers.asked).toContain("POST /jobs/{id}/complete");
  await expect(waitingOf(page).getByRole("listitem")).toHaveText(/Photo/);
  await release();
  await expect(waitingOf(page)).toBeHidden();
  expect(answers.asked).toContain("POST /jobs/{id}/photos");
});

test("a request that is dropped in one tab is not sent by another", async ({ open }) => {
  const { page, context, answers } = await open("customer");
  await atThePrice(page, answers);
  const bringBack = await answers.cut("POST /jobs");
  await sendOf(page).click();
  await expect(page.getByText("No answer yet.", { exact: false })).toBeVisible();
  const other = await context.newPage();
  await other.goto("/customer/");
  await other.getByRole("button", { name: "I don't need it any more" }).click();
  await expect(sendOf(page)).toHaveAttribute("aria-busy", "false");
  await expect(page.getByText("No answer yet.", { exact: false })).toHaveCount(0);
  await bringBack();
  for (const tab of [page, other]) {
    await tab.goto("/customer/");
    await expect(tab.locator(".problem").first()).toBeVisible();
    await expect(tab.getByText("Your request is waiting")).toHaveCount(0);
  }
  expect(answers.asked).not.toContain("POST /jobs");
});
