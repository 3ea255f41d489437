// The pay of an offer as a mechanic sees it while deciding.
import { examples, expect, test, type Answers, type Schemas } from "../support/pages";
import { at, idle } from "./at-work";

/** Sets up a verified mechanic who has this offer. */
function offered(answers: Answers, changes: Partial<Schemas["Offer"]> = {}): void {
  idle(answers);
  answers.give("GET /service-categories", (list) => ({
    ...list,
    data: [{ ...examples().of("ServiceCategory"), estimated_duration_min: 30 }],
  }));
  answers.give("GET /mechanics/me/offers", (list) => ({
    ...list,
    data: [{ ...examples().of("Offer"), created_at: at(41), expires_at: at(43), ...changes }],
  }));
}

test("an offer shows about what it pays per hour", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  offered(answers);
  await page.goto("/mechanic/");
  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  await expect(offer.getByText("About ₹410 per hour, if the work takes 30 min")).toBeVisible();
});

test("the offer of a tow shows its length, and counts its time", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  offered(answers, { destination: { ...examples().of("OfferedDestination"), duration_s: 2_400 } });
  await page.goto("/mechanic/");
  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  await expect(offer.getByText("6.4 km · 40 min")).toBeVisible();
  await expect(offer.getByText("About ₹250 per hour, if the work takes 55 min")).toBeVisible();
});
