// A mechanic withdraws a photo or a document that was added by mistake.
import { examples, expect, test } from "../support/pages";
import { atWork, profile, working } from "./at-work";

test("a photo goes once the mechanic has confirmed it, and stays while it proves something", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  let photos = [{ ...examples().of("Photo"), stage: "during" as const }];
  atWork(answers, working);
  answers.give("GET /jobs/{id}/photos", (list) => ({ ...list, data: photos }));
  answers.refuse("DELETE /jobs/{id}/photos/{item_id}", 409, "CONFLICT");
  await page.goto("/mechanic/job");
  const remove = page.getByRole("button", { name: "Remove: Photos of the work 1" });
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true });

  await remove.click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(answers.asked).not.toContain("DELETE /jobs/{id}/photos/{item_id}");

  await remove.click();
  await confirm.click();
  await expect(page.getByText("This photo may prove what was done")).toBeVisible();
  await expect(remove).toHaveCount(1);

  answers.forget("DELETE /jobs/{id}/photos/{item_id}");
  await remove.click();
  photos = [];
  await confirm.click();
  await expect(remove).toHaveCount(0);
  await expect(page.getByText("This photo may prove what was done")).toHaveCount(0);
});

test("a document goes once the mechanic has confirmed it, and stays while it is needed", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  const wrong = { ...examples().of("MechanicDocument"), type: "other" as const };
  profile(answers, { documents: [wrong] });
  answers.refuse("DELETE /mechanics/me/documents/{id}", 409, "CONFLICT");
  await page.goto("/mechanic/you/documents");
  const remove = page.getByRole("button", { name: "Remove: Other document" });
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true });

  await remove.click();
  await confirm.click();
  await expect(page.getByText("your verification needs it")).toBeVisible();
  await expect(remove).toHaveCount(1);

  answers.forget("DELETE /mechanics/me/documents/{id}");
  await remove.click();
  profile(answers, { documents: [] });
  await confirm.click();
  await expect(remove).toHaveCount(0);
  await expect(page.getByText("Document removed.")).toBeVisible();
});
