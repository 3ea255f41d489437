// The mechanic's photo: the mechanic sets it, and customers see it.
import { examples, expect, test, type Answers } from "../support/pages";
import { pixel } from "../support/pixel";
import { idle } from "./at-work";
import { withJob } from "./customers";

const ID = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";

/** Sets up an idle mechanic with this photo. Returns the changes that they send. */
function withPhoto(answers: Answers, avatar_url: string | null): unknown[] {
  idle(answers);
  const own = examples().of("OwnMechanicProfile");
  const mine = { id: own.user_id, mechanic_profile_id: own.id, avatar_url };
  answers.give("GET /users/me", (me) => ({ ...me, ...mine }));
  const bodies: unknown[] = [];
  answers.give("PATCH /users/me", (me, { body }) => {
    bodies.push(body);
    Object.assign(mine, body);
    return { ...me, ...mine };
  });
  return bodies;
}

test("a customer sees the photo of their mechanic, and a sign if there is none", async ({ open }) => {
  const { page, answers } = await open("customer");
  withJob(answers, {});
  await page.goto(`/customer/jobs/${ID}`);
  const card = page.getByRole("region", { name: "Your mechanic" });
  await expect(card.locator("img")).toHaveAttribute("src", /portrait\.jpg/);

  answers.give("GET /mechanics/{id}", (mechanic) => ({ ...mechanic, avatar_url: null }));
  await page.reload();
  await expect(card.getByText("Ravi", { exact: true })).toBeVisible();
  await expect(card.locator("img")).toHaveCount(0);
});

test("a mechanic removes their photo", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  const bodies = withPhoto(answers, "https://files.example.com/ravi/portrait.jpg");
  await page.goto("/mechanic/you/account");
  const photo = page.getByRole("group", { name: "Your photo" });
  await photo.getByRole("button", { name: /Remove/ }).click();
  await expect(page.getByText("Photo saved.")).toBeVisible();
  expect(bodies).toEqual([{ avatar_url: null }]);
});

test("a mechanic sets their photo", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  const bodies = withPhoto(answers, null);
  const announced: unknown[] = [];
  answers.give("POST /uploads/presign", (upload, { body }) => {
    announced.push(body);
    return upload;
  });
  await page.goto("/mechanic/you/account");
  const photo = page.getByRole("group", { name: "Your photo" });
  await photo.locator("input[type=file]").last().setInputFiles(pixel("ravi.png"));
  await expect(page.getByText("Photo saved.")).toBeVisible();
  expect(announced).toMatchObject([{ purpose: "avatar", content_type: "image/jpeg" }]);
  expect(bodies).toEqual([{ avatar_url: examples().of("Upload").file_url }]);
  await expect(photo.getByRole("img")).toBeVisible();
  // There is space for one photo.
  await expect(photo.locator("input[type=file]")).toHaveCount(0);
});
