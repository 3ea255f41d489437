// What a customer reads about money before they agree to it, and after it cost nothing.
import { examples, expect, none, test, type Answers, type Schemas } from "../support/pages";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 8, minute)).toISOString();
const JOB = examples().of("Job");

/** The customer's own job, in this state. */
function follow(answers: Answers, changes: Partial<Schemas["Job"]>): Schemas["Job"] {
  const job = { ...JOB, customer_id: examples().of("Me").id, start_code: null, ...changes };
  answers.give("GET /jobs/{id}", job);
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", none);
  return job;
}

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
  await page.goto(`/customer/jobs/${JOB.id}`);
  const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await expect(item("New inner tube").getByText("New total: ₹479")).toBeVisible();
  await expect(item("Valve").getByText("New total: ₹349")).toBeVisible();
  await expect(page.getByText("Total so far: ₹299")).toBeVisible();
});
