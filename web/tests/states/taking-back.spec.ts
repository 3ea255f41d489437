// A mechanic takes back a photo or a document that was added by mistake.
import { examples, expect, none, test, type Answers, type Schemas } from "../support/pages";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 8, minute)).toISOString();

/** A verified mechanic who has these documents. */
function mechanic(answers: Answers, documents: Schemas["MechanicDocument"][]): void {
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
  answers.give("GET /mechanics/me", { ...own, documents });
}

/** The same, at work on a job that has these photos. */
function atWork(answers: Answers, photos: () => Schemas["Photo"][]): void {
  mechanic(answers, []);
  answers.give("GET /mechanics/me/offers", none);
  answers.give("GET /mechanics/me/lost-jobs", none);
  answers.give("GET /mechanics/me/parked", (answer) => ({ ...answer, parked: null }));
  const job: Schemas["Job"] = {
    ...examples().of("Job"),
    start_code: null,
    status: "in_progress",
    en_route_at: at(31),
    arrived_at: at(36),
    started_at: at(37),
  };
  answers.give("GET /jobs", (list) => ({ ...list, data: [job] }));
  answers.give("GET /jobs/{id}", job);
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", none);
  answers.give("GET /jobs/{id}/photos", (list) => ({ ...list, data: photos() }));
}

test("a photo goes once the mechanic has confirmed it, and stays while it proves something", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  let photos = [{ ...examples().of("Photo"), stage: "during" as const }];
  atWork(answers, () => photos);
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
  mechanic(answers, [wrong]);
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
  mechanic(answers, []);
  await confirm.click();
  await expect(remove).toHaveCount(0);
  await expect(page.getByText("Document removed.")).toBeVisible();
});
