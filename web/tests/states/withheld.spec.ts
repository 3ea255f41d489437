// A mechanic who can't withdraw yet reads why, and when it will be possible.
import { expect, test, type Answers, type Schemas } from "../support/pages";
import { idle } from "./at-work";

function mechanic(answers: Answers, wallet: Partial<Schemas["Wallet"]>): void {
  idle(answers);
  answers.give("GET /config", (config) => ({ ...config, rules: { ...config.rules, min_withdrawal: 100 } }));
  answers.give("GET /wallet", (example) => ({ ...example, ...wallet }));
}

test("the wallet says when what is held can be withdrawn", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  mechanic(answers, { available: 0, withdrawable: 0, owed: 0, pending_withdrawals: 0, held: 254.15 });
  await page.goto("/mechanic/wallet");
  await expect(page.getByText("₹254.15 can be withdrawn from 17 Mar, 2:10 pm.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw", exact: true })).toBeDisabled();
});

test("the page of a withdrawal says what is missing instead of a form that takes nothing", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  mechanic(answers, { available: 60, withdrawable: 60, owed: 0, pending_withdrawals: 0, held: 0, next_release: null });
  await page.goto("/mechanic/wallet/withdraw");
  await expect(page.getByText("The smallest withdrawal is ₹100. You need ₹40 more.")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
});
