// Tests the pages of customers who owe money.
import { configure, expect, test } from "../support/pages";
import { atHome, done, IN_CASH_ALONE, missed, withJob } from "./customers";

const JOB = "/customer/jobs/019ceb77-7340-7b20-9e32-6d1f5aab2c01";
const WORDS = "I was beside the scooter all the time";

test("a no-show's fee is contested once, and what was written survives a reload and a refusal", async ({ open }) => {
  const { page, answers } = await open("customer");
  missed(answers, { status: "due" });
  await page.goto(JOB);
  await expect(page.getByText("so you owe ₹150 for their trip")).toBeVisible();
  await expect(page.getByText("If that is wrong, tell us by 16 Mar")).toBeVisible();
  const field = page.getByLabel("What happened?");
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect(send).toBeDisabled();
  await field.fill(WORDS);
  await page.reload();
  await expect(field).toHaveValue(WORDS);

  answers.refuse("POST /jobs/{id}/contest-no-show", 409, "INVALID_TRANSITION");
  await send.click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(field).toHaveValue(WORDS);

  const sent: unknown[] = [];
  answers.give("POST /jobs/{id}/contest-no-show", (contested, { body }) => {
    sent.push(body);
    return { ...contested, status: "open" as const, statement: WORDS };
  });
  await send.click();
  await expect(page.getByText("and you contest it")).toBeVisible();
  await expect(page.getByText(`You told us: “${WORDS}”`)).toBeVisible();
  await expect(field).toHaveCount(0);
  expect(sent).toEqual([{ statement: WORDS }]);
});

test("a fee is contested until its deadline, also one that was charged without hearing the customer", async ({
  open,
}) => {
  const { page, answers } = await open("customer");
  const field = page.getByLabel("What happened?");
  const before = { contestable_until: "2026-03-14T08:40:59.000Z" };
  missed(answers, { status: "due", ...before });
  await page.goto(JOB);
  await expect(page.getByText("so you owe ₹150 for their trip")).toBeVisible();
  await expect(field).toHaveCount(0);

  const note = "The trail ends at the scooter";
  missed(answers, { status: "charged", note, decided_at: "2026-03-14T08:39:00.000Z" });
  await page.reload();
  await expect(page.getByText(note)).toBeVisible();
  await expect(field).toBeVisible();

  // A case that waits for an admin can be answered until they have decided.
  missed(answers, { status: "open", ...before });
  await page.reload();
  await expect(page.getByText("you owe nothing until we have looked into it")).toBeVisible();
  await expect(field).toBeVisible();

  missed(answers, { status: "dropped", note, decided_at: "2026-03-14T08:39:00.000Z" });
  await page.reload();
  await expect(page.getByText("You owe nothing.", { exact: false })).toBeVisible();
  await expect(field).toHaveCount(0);
});

test("where nobody pays online, a job is paid in cash and fees to the operator", async ({ open }) => {
  const { page, answers } = await open("customer");
  configure(answers, { payments: IN_CASH_ALONE });
  withJob(answers, done);
  answers.give("GET /payments/{id}", (payment) => ({
    ...payment,
    status: "created" as const,
    is_open: true,
    channel: "cash" as const,
    gateway: null,
    method: null,
    gateway_payment_id: null,
    captured_at: null,
    cash_confirmed_by_customer_at: null,
    cash_confirmed_by_mechanic_at: null,
  }));
  const ordered: unknown[] = [];
  answers.give("POST /payments/orders", (order, { body }) => {
    ordered.push(body);
    return order;
  });
  const online = page.getByRole("button", { name: /Pay online|Try to pay again|Pay another way/ });
  const cash = page.getByRole("button", { name: "Pay the mechanic in cash" });
  await page.goto(`${JOB}/pay`);
  await expect(cash).toHaveClass(/primary/);
  await expect(online).toHaveCount(0);
  await cash.click();
  await expect(page.getByRole("button", { name: /^I gave ₹/ })).toBeVisible();
  await expect(online).toHaveCount(0);
  expect(ordered).toMatchObject([{ method: "cash" }]);

  await page.goto("/customer/fees");
  await expect(page.getByText("We clear the amount once we have received it.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Call support" })).toHaveAttribute("href", "tel:+918012345678");
  await expect(online).toHaveCount(0);
  await expect(cash).toHaveCount(0);
});

test("who has to call before help comes to an accident reads whom", async ({ open }) => {
  const { page, answers } = await open("customer");
  answers.give("POST /jobs/estimate", (estimate) => ({ ...estimate, unpaid_fees: 150 }));
  atHome(answers);
  await page.goto("/customer/");
  await page.locator(".problem").first().click();
  await page.locator(".sheet button[type=submit]").click();
  await page.getByRole("radio", { name: "Accident" }).check();
  const send = page.getByRole("button", { name: /Send a mechanic|Ask anyway/ });
  const foot = page.locator(".page > .foot");
  const called = foot.getByRole("link", { name: "Call support" });
  for (const [status, code] of [
    [409, "UNPAID_FEES"],
    [429, "RATE_LIMITED"],
  ] as const) {
    answers.refuse("POST /jobs", status, code);
    await send.click();
    await expect(foot.getByRole("alert")).toHaveText("We can't take this request here. Call us, and we send help.");
    await expect(called).toHaveAttribute("href", "tel:+918012345678");
  }
  await page.getByRole("radio", { name: "Safe place" }).check();
  answers.refuse("POST /jobs", 409, "UNPAID_FEES");
  await send.click();
  await expect(foot.getByRole("link", { name: "Pay the fees" })).toBeVisible();
  await expect(called).toHaveCount(0);
});

test("who contests all that they owe has nothing to pay, and reads whom to call", async ({ open }) => {
  const { page, answers } = await open("customer");
  atHome(answers);
  answers.give("POST /jobs/estimate", (estimate) => ({ ...estimate, unpaid_fees: 0 }));
  await page.goto("/customer/");
  await page.locator(".problem").first().click();
  await page.locator(".sheet button[type=submit]").click();
  answers.refuse("POST /jobs", 409, "UNPAID_FEES");
  await page.getByRole("button", { name: /Send a mechanic|Ask anyway/ }).click();
  const foot = page.locator(".page > .foot");
  await expect(foot.getByRole("alert")).toContainText("still being decided");
  await expect(foot.getByRole("link", { name: "Call support" })).toHaveAttribute("href", "tel:+918012345678");
  await expect(page.getByRole("link", { name: "Pay the fees" })).toHaveCount(0);
});
