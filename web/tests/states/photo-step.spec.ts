// Mechanics find all photos of a job in one place, from the arrival to the end of the work.
import { examples, expect, test, type Answers, type Schemas } from "../support/pages";
import { arrived, atWork, working } from "./at-work";

/** Sets up a mechanic on a job in this state, with a photo of each stage. */
function withPhotos(answers: Answers, changes: Partial<Schemas["Job"]>): void {
  atWork(answers, changes);
  const photo = examples().of("Photo");
  answers.give("GET /jobs/{id}/photos", (list) => ({
    ...list,
    data: (["before", "during", "after"] as const).map((stage, index) => ({
      ...photo,
      id: `019ceb7f-8aa0-7b20-9e32-6d1f5aab5b0${index}`,
      file_url: `https://files.example.com/jobs/${stage}.jpg`,
      stage,
    })),
  }));
}

for (const [name, changes] of [
  ["arrives", arrived],
  ["works", working],
] as const)
  test(`a mechanic who ${name} finds all photos of the work in one place`, async ({ open }) => {
    const { page, answers } = await open("mechanic");
    withPhotos(answers, changes);
    await page.goto("/mechanic/job");
    await expect(page.getByRole("group", { name: "Photos of the work" })).toHaveCount(1);
    await expect(page.getByRole("button", { name: /^Remove: Photos of the work/ })).toHaveCount(3);
  });

test("the end of the work asks for no photos again", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  withPhotos(answers, working);
  await page.goto("/mechanic/job");
  await page.getByRole("button", { name: "Finish the work" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("group", { name: "How did it end?" })).toBeVisible();
  await expect(dialog.locator("input[type=file]")).toHaveCount(0);
});
