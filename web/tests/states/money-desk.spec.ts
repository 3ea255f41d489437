// The decisions of admins at the money desk, and their records of payments by hand.
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { expect, test, type Answers, type Schemas } from "../support/pages";

const USUAL = { width: 1440, height: 900 };

/** Presses a key once its action is available. */
async function press(page: Page, key: string) {
  await page.locator(`main button[aria-keyshortcuts="${key}"]`).first().waitFor();
  await page.keyboard.press(key);
  return page.getByRole("dialog");
}

function withdrawn(answers: Answers, changes: Partial<Schemas["WithdrawalForAdmin"]>): void {
  answers.give("GET /admin/withdrawals", (list) => ({
    ...list,
    data: list.data.slice(0, 1).map((row) => ({ ...row, status: "requested" as const, ...changes })),
  }));
}

test("a withdrawal is paid by hand or given back where no provider pays", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const sent: unknown[] = [];
  answers.give("POST /admin/withdrawals/{id}/mark-paid", (row, { body }) => {
    sent.push(body);
    return row;
  });
  answers.give("POST /admin/withdrawals/{id}/mark-failed", (row, { body }) => {
    sent.push(body);
    return row;
  });
  withdrawn(answers, { is_to_be_paid_by_hand: false });
  await page.goto("/console/withdrawals");
  await expect(page.getByRole("complementary", { name: "Selected row" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Mark paid/ })).toHaveCount(0);

  withdrawn(answers, { is_to_be_paid_by_hand: true });
  await page.reload();
  const paid = await press(page, "p");
  await expect(paid.getByText(/Confirm that you have sent ₹.* to ravi\.kumar@okbank/)).toBeVisible();
  await expectAccessible(page);
  await paid.getByRole("button", { name: "Mark paid", exact: true }).click();
  await expect(paid.getByText("Fill this in.")).toBeVisible();
  await paid.getByLabel("Reference").fill("UPI 603412345678");
  await paid.getByRole("button", { name: "Mark paid", exact: true }).click();
  await expect(page.locator(".toast.good")).toContainText("Withdrawal marked as paid");

  const failed = await press(page, "x");
  await failed.getByLabel("Why").fill("No");
  await failed.getByRole("button", { name: "Give it back", exact: true }).click();
  await expect(failed.getByText("At least 3 characters.")).toBeVisible();
  await failed.getByLabel("Why").fill("The bank says that this address is closed.");
  await failed.getByRole("button", { name: "Give it back", exact: true }).click();
  await expect(page.getByText("The amount is back in the wallet")).toBeVisible();
  expect(sent).toEqual([{ reference: "UPI 603412345678" }, { reason: "The bank says that this address is closed." }]);
});

test("a no-show says what is odd about the mechanic's positions, and until when it is contested", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const give = (positions_jump: boolean | null, positions_stand_still: boolean | null) =>
    answers.give("GET /admin/no-shows", (list) => ({
      ...list,
      data: list.data.slice(0, 1).map((row) => ({ ...row, positions_jump, positions_stand_still })),
    }));
  const selected = page.getByRole("complementary", { name: "Selected row" });
  give(true, true);
  await page.goto("/console/no-shows");
  await expect(page.getByRole("row").nth(1)).toContainText("Positions jump or are simulated");
  await expect(selected).toContainText("All positions are of one place");
  await expect(selected).toContainText("Can be contested until");
  give(false, false);
  await page.reload();
  await expect(selected).toContainText("Can be contested until");
  await expect(page.getByText(/Positions jump|All positions/)).toHaveCount(0);
});

test("a tow that no position shows at its destination is released, or the way is given back", async ({ open }) => {
  const { page, answers } = await open("console", { viewport: USUAL });
  const sent: unknown[] = [];
  await page.goto("/console/tow-reviews");
  const reduced = await press(page, "x");
  await expect(reduced.getByText("gets back what the way costs", { exact: false })).toBeVisible();
  await expectAccessible(page);
  await reduced.getByLabel("Why").fill("The workshop knows nothing of it.");
  // The service refuses the decision before the tow is paid.
  answers.refuse("POST /admin/jobs/{id}/decide-tow", 409, "CONFLICT");
  await reduced.getByRole("button", { name: "Give it back", exact: true }).click();
  await expect(reduced.getByRole("alert")).toContainText("This is why.");
  answers.give("POST /admin/jobs/{id}/decide-tow", (review, { body }) => {
    sent.push(body);
    return review;
  });
  await reduced.getByRole("button", { name: "Give it back", exact: true }).click();
  await expect(page.locator(".toast.good")).toContainText("goes back");

  const released = await press(page, "a");
  await released.getByLabel("Why").fill("The workshop says that the vehicle came.");
  await released.getByRole("button", { name: "Release it", exact: true }).click();
  await expect(page.getByText("The share is released")).toBeVisible();
  expect(sent).toEqual([
    { pay: false, note: "The workshop knows nothing of it." },
    { pay: true, note: "The workshop says that the vehicle came." },
  ]);
});
