// The texts about money that a customer reads before accepting a price, and after a job without charge.
import { examples, expect, test, type Answers, type Schemas } from "../support/pages";
import { at } from "./at-work";
import { withJob } from "./customers";

const ID = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";

/** Sets up the customer's own job in this state. */
const follow = (answers: Answers, changes: Partial<Schemas["Job"]>) =>
  withJob(answers, { start_code: null, ...changes });

test("each item that waits for a decision shows the total that its approval makes", async ({ open }) => {
  const { page, answers } = await open("customer");
  follow(answers, { status: "in_progress", en_route_at: at(31), arrived_at: at(36), started_at: at(37) });
  const tube = { ...examples().of("LineItem"), photo_url: null, description: "New inner tube", unit_price: 180 };
  answers.give("GET /jobs/{id}/line-items", (list) => ({
    ...list,
    data: [
      { ...tube, total: 180 },
      { ...tube, id: "019ceb7f-8aa0-7b20-9e32-6d1f5aab2b02", description: "Valve", unit_price: 50, total: 50 },
    ],
  }));
  await page.goto(`/customer/jobs/${ID}`);
  const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await expect(item("New inner tube").getByText("New total: ₹479")).toBeVisible();
  await expect(item("Valve").getByText("New total: ₹349")).toBeVisible();
  await expect(page.getByText("Total so far: ₹299")).toBeVisible();
});

test("a decision that may not be read is asked for once, and one without an answer again", async ({ open }) => {
  const { page, answers } = await open("customer");
  const decided = { ...examples().of("Job"), status: "resolved", disputed_at: at(20), resolved_at: at(30) } as const;
  answers.give("GET /jobs", (list) => ({ ...list, total: 1, data: [decided] }));
  const times = () => answers.asked.filter((operation) => operation === "GET /jobs/{id}/dispute").length;
  const card = page.locator("main a.card");
  const leaveAndReturn = async () => {
    await page.locator('nav a[href="/customer/vehicles"]').click();
    await expect(card).toHaveCount(0);
    await page.locator('nav a[href="/customer/history"]').click();
    await expect(card).toHaveCount(1);
  };
  answers.refuse("GET /jobs/{id}/dispute", 503, "UNAVAILABLE");
  await page.goto("/customer/history");
  await expect.poll(times).toBeGreaterThan(0);
  answers.refuse("GET /jobs/{id}/dispute", 404, "NOT_FOUND");
  const unanswered = times();
  await leaveAndReturn();
  await expect.poll(times).toBeGreaterThan(unanswered);
  const refused = times();
  await leaveAndReturn();
  await leaveAndReturn();
  expect(times()).toBe(refused);
});

test("a job that was cancelled for free says that nothing was charged", async ({ open }) => {
  const { page, answers } = await open("customer");
  const cancelled = { status: "cancelled", cancelled_at: at(40) } as const;
  const free = follow(answers, { ...cancelled, cancel_reason_code: "changed_mind", cancellation_fee: 0 });
  await page.goto(`/customer/jobs/${ID}`);
  await expect(page.getByText("Nothing was charged.")).toBeVisible();

  answers.jobChanged({ ...free, seq: free.seq + 1, cancellation_fee: 50 });
  await expect(page.getByText("The cancellation fee is ₹50.")).toBeVisible();
  await expect(page.getByText("Nothing was charged.")).toHaveCount(0);
});

test("a job whose customer was not there does not say that nothing was charged", async ({ open }) => {
  const { page, answers } = await open("customer");
  const cancelled = { status: "cancelled", cancelled_at: at(40) } as const;
  follow(answers, { ...cancelled, cancel_reason_code: "customer_no_show", cancellation_fee: 0 });
  await page.goto(`/customer/jobs/${ID}`);
  await expect(page.getByText("Cancelled on")).toBeVisible();
  await expect(page.getByText("Nothing was charged.")).toHaveCount(0);
});
