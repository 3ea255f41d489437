// A mechanic practises an offer. The clock of these pages is stopped, so the offer does not expire.
import { examples, expect, test } from "../support/pages";
import { at, idle } from "./at-work";

test("a mechanic practises an offer, and nothing of it reaches the service", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  idle(answers);
  await page.goto("/mechanic/you/practice");
  await page.getByRole("button", { name: "Show me an offer" }).click();
  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  await expect(offer.getByText("Practice: nothing is sent")).toBeVisible();
  await expect(offer.getByText("₹340")).toBeVisible();
  await expect(offer.getByRole("button", { name: "Accept" })).not.toHaveAttribute("aria-disabled", "true");
  await offer.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByText("You accepted with 20 seconds left.")).toBeVisible();
  await expect(offer).toHaveCount(0);
  expect(answers.asked.filter((operation) => operation.includes("/offers/"))).toEqual([]);
});

test("a real offer takes the place of the one that is practised", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  idle(answers);
  await page.goto("/mechanic/you/practice");
  await page.getByRole("button", { name: "Show me an offer" }).click();
  await expect(page.getByText("Practice: nothing is sent")).toBeVisible();
  answers.send("offer.created", { ...examples().of("Offer"), created_at: at(41), expires_at: at(43) });
  await expect(page.getByText("Practice: nothing is sent")).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: "Flat tyre" }).getByText("The rear tyre is flat")).toBeVisible();
});
