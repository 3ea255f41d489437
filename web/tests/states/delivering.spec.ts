// Mechanics whose phone does not report their position, or not by the app that should send it.
import { expectAccessible } from "../support/axe";
import { examples, expect, test } from "../support/pages";
import { at, atWork, idle, keepDelivery, towing } from "./at-work";

const JOB = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";

test("a vehicle that no position shows at its destination is handed over with a reason", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  atWork(answers, towing());
  await page.goto("/mechanic/job");
  await page.evaluate(keepDelivery, { jobId: JOB, reason: "" });
  await page.reload();
  await page.getByRole("button", { name: "Delivered" }).click();
  const dialog = page.getByRole("dialog", { name: "Delivered" });
  const handOver = dialog.getByRole("button", { name: "Hand it over" });
  const reason = dialog.getByLabel(/^Reason/);
  await expect(dialog.getByLabel("Who received it?")).toHaveValue("Suresh");
  await expect(reason).toHaveCount(0);

  const errors = { override_reason: ["You are 700 m from the destination."] };
  answers.refuse("POST /jobs/{id}/complete", 422, "VALIDATION_FAILED", { errors });
  await handOver.click();
  await expect(dialog.getByText("doesn't show that you are at the destination")).toBeVisible();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expectAccessible(page);
  await reason.fill("No");
  await expect(handOver).toBeDisabled();
  // It does not disappear while it is being rewritten.
  await reason.fill("");
  await reason.fill("The road is closed");

  const sent: unknown[] = [];
  answers.give("POST /jobs/{id}/complete", (job, { body }) => {
    sent.push(body);
    const completed = { status: "completed", outcome: "towed", completed_at: at(40), final_price: 299 } as const;
    return { ...job, ...towing(), ...completed, received_by: "Suresh", start_code: null };
  });
  await handOver.click();
  await expect(dialog).toBeHidden();
  expect(sent).toMatchObject([{ outcome: "towed", received_by: "Suresh", override_reason: "The road is closed" }]);
});

test("an app that sends positions in vain says why, and does not count", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  idle(answers);
  const tracker = { ...examples().of("Tracker"), last_seen_at: "2026-03-14T08:40:30.000Z" };
  const origin = examples().of("PositionOrigin");
  const shown = [
    ["unreadable", "connect it again"],
    ["encrypted", "Switch encryption off"],
    ["invalid", "exact location"],
    ["clock_ahead", "Your phone's date is wrong"],
    ["too_old", "from before yesterday"],
    ["no_fix", "doesn't know where it is"],
  ] as const;
  for (const [fault, words] of shown) {
    const problem = { ...examples().of("TrackerProblem"), fault };
    answers.give("GET /mechanics/me/trackers", (list) => ({
      ...list,
      data: [{ ...tracker, problem }],
      last_position: origin,
    }));
    await page.goto("/mechanic/you/trackers");
    await expect(page.locator(".problem")).toContainText(words);
    await expect(page.getByText("Your position now")).toHaveCount(0);
  }
  answers.give("GET /mechanics/me/trackers", (list) => ({
    ...list,
    data: [{ ...tracker, problem: null }],
    last_position: origin,
  }));
  await page.reload();
  await expect(page.getByText("Your position now")).toBeVisible();
  await expect(page.locator(".problem")).toHaveCount(0);
});

test("an account that no bank can name waits for the operator, who is not asked again", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  idle(answers);
  const account = { ...examples().of("UpiAccount"), verification_status: "name_mismatch" as const };
  const again = page.getByRole("button", { name: "Check again" });
  answers.give("GET /wallet/upi", (list) => ({ ...list, data: [{ ...account, name_at_bank: null }] }));
  await page.goto("/mechanic/wallet/upi");
  await expect(page.getByText("We look at this account ourselves")).toBeVisible();
  await expect(again).toHaveCount(0);
  answers.give("GET /wallet/upi", (list) => ({ ...list, data: [{ ...account, name_at_bank: "RAVI" }] }));
  await page.reload();
  await expect(page.getByText("Name differs")).toBeVisible();
  await expect(again).toBeVisible();
});
