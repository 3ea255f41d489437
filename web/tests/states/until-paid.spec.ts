// A mechanic who waits for their money knows who owes it, and can call them.
import { examples, expect, none, test } from "../support/pages";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 8, minute)).toISOString();

test("while the payment is awaited, the customer has a name and can be called", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
  answers.give("GET /mechanics/me", own);
  answers.give("GET /mechanics/me/offers", none);
  answers.give("GET /mechanics/me/lost-jobs", none);
  answers.give("GET /mechanics/me/parked", (answer) => ({ ...answer, parked: null }));
  const job = {
    ...examples().of("Job"),
    contact: {
      ways: ["chat" as const, "call" as const],
      people: [{ who: "booker" as const, first_name: "Asha", phone: null }],
    },
    start_code: null,
    status: "in_progress" as const,
    en_route_at: at(31),
    arrived_at: at(36),
    started_at: at(37),
  };
  const done = {
    ...job,
    seq: job.seq + 1,
    status: "completed" as const,
    completed_at: at(40),
    final_price: 299,
    outcome: "fixed" as const,
  };
  answers.give("GET /jobs", (list) => ({ ...list, data: [job] }));
  answers.give("GET /jobs/{id}", done);
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", none);
  answers.give("GET /jobs/{id}/calls", none);
  answers.give("GET /jobs/{id}/ratings", (both) => ({ ...both, by_customer: null, by_mechanic: null }));
  await page.goto("/mechanic/job");
  await expect(page.getByText("The customer pays", { exact: true })).toBeVisible();
  await expect(page.getByText("Asha", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Call Asha" })).toBeVisible();
});
