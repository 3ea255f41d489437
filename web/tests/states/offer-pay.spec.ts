// What a mechanic reads about the pay of an offer while they decide.
import { examples, expect, none, test, type Answers, type Schemas } from "../support/pages";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 8, minute)).toISOString();

/** A verified mechanic who has this offer. */
function offered(answers: Answers, changes: Partial<Schemas["Offer"]> = {}): void {
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
  answers.give("GET /mechanics/me", own);
  answers.give("GET /jobs", none);
  answers.give("GET /mechanics/me/lost-jobs", none);
  answers.give("GET /mechanics/me/parked", (answer) => ({ ...answer, parked: null }));
  answers.give("GET /mechanics/me/offers", (list) => ({
    ...list,
    data: [{ ...examples().of("Offer"), created_at: at(41), expires_at: at(43), ...changes }],
  }));
}

test("an offer shows what it pays per hour, with the time that this mechanic's work takes", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  answers.give("GET /mechanics/me/stats", (stats) => ({ ...stats, jobs_completed: 10, working_s: 15_000 }));
  offered(answers);
  await page.goto("/mechanic/");
  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  await expect(offer.getByText("About ₹480 per hour, with 25 min at the vehicle")).toBeVisible();
});

test("the offer of a tow shows its length, and counts its time", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  answers.give("GET /mechanics/me/stats", (stats) => ({ ...stats, jobs_completed: 0, working_s: 0 }));
  offered(answers, { destination: examples().of("OfferedDestination") });
  await page.goto("/mechanic/");
  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  await expect(offer.getByText("6.4 km")).toBeVisible();
  await expect(offer.getByText("About ₹320 per hour, with 25 min at the vehicle")).toBeVisible();
});
