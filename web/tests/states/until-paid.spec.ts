// A mechanic who waits for their money knows who owes it, and can call them.
import { expect, none, test } from "../support/pages";
import { at, atWork, working } from "./at-work";

test("while the payment is awaited, the customer has a name and can be called", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  atWork(answers, {
    ...working,
    status: "completed",
    completed_at: at(40),
    final_price: 299,
    outcome: "fixed",
    contact: { ways: ["chat", "call"], people: [{ who: "booker", first_name: "Asha", phone: null }] },
  });
  answers.give("GET /jobs/{id}/calls", none);
  await page.goto("/mechanic/job");
  await expect(page.getByText("The customer pays", { exact: true })).toBeVisible();
  await expect(page.getByText("Asha", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Call Asha" })).toBeVisible();
});
