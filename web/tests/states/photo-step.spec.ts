// Mechanics find all photos of a job in one place, from the arrival to the end of the work.
import { examples, expect, none, test, type Answers, type Schemas } from "../support/pages";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 8, minute)).toISOString();

/** Sets up a mechanic on a job in this state, with a photo of each stage. */
function atWork(answers: Answers, changes: Partial<Schemas["Job"]>): void {
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
  answers.give("GET /mechanics/me", own);
  answers.give("GET /mechanics/me/offers", none);
  answers.give("GET /mechanics/me/lost-jobs", none);
  answers.give("GET /mechanics/me/parked", (answer) => ({ ...answer, parked: null }));
  const job = { ...examples().of("Job"), start_code: null, en_route_at: at(31), arrived_at: at(36), ...changes };
  answers.give("GET /jobs", (list) => ({ ...list, data: [job] }));
  answers.give("GET /jobs/{id}", job);
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", none);
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
  ["arrives", { status: "arrived" }],
  ["works", { status: "in_progress", started_at: at(37) }],
] as const)
  test(`a mechanic who ${name} finds all photos of the work in one place`, async ({ open }) => {
    const { page, answers } = await open("mechanic");
    atWork(answers, changes);
    await page.goto("/mechanic/job");
    await expect(page.getByRole("group", { name: "Photos of the work" })).toHaveCount(1);
    await expect(page.getByRole("button", { name: /^Remove: Photos of the work/ })).toHaveCount(3);
  });

test("the end of the work asks for no photos again", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  atWork(answers, { status: "in_progress", started_at: at(37) });
  await page.goto("/mechanic/job");
  await page.getByRole("button", { name: "Finish the work" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("group", { name: "How did it end?" })).toBeVisible();
  await expect(dialog.locator("input[type=file]")).toHaveCount(0);
});
