// Elements that overlapped or were in the wrong place.
import type { Locator, Page } from "@playwright/test";
import { examples, expect, none, test, type Answers } from "../support/pages";

async function box(locator: Locator): Promise<{ top: number; bottom: number; left: number; right: number }> {
  const found = await locator.boundingBox();
  if (found === null) throw new Error("it is not on the page");
  const { x, y, width, height } = found;
  return { top: y, bottom: y + height, left: x, right: x + width };
}

/** Fails if something covers a map's credits. */
async function expectCreditsInSight(page: Page): Promise<void> {
  const credits = page.locator(".maplibregl-ctrl-attrib").first();
  await expect(credits).toBeVisible();
  await credits.scrollIntoViewIfNeeded();
  const covered = () =>
    credits.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const points = [
        [x, y],
        [left + 3, y],
        [right - 3, y],
        [x, top + 3],
        [x, bottom - 3],
      ] as const;
      return points.filter(([x, y]) => !element.contains(document.elementFromPoint(x, y)));
    });
  await expect.poll(covered, `points of the credits that are covered at ${page.url()}`).toEqual([]);
}

function onDuty(answers: Answers): void {
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
  answers.give("GET /jobs", none);
  answers.give("GET /mechanics/me/offers", none);
  answers.give("GET /mechanics/me/lost-jobs", none);
  answers.give("GET /mechanics/me/parked", (answer) => ({ ...answer, parked: null }));
}

test("boxes to tick stand beside their words", async ({ open }) => {
  const { page } = await open("console", { viewport: { width: 1280, height: 800 } });
  await page.goto("/console/settings/invites");
  await page
    .getByRole("button", { name: /^Invite\b/ })
    .first()
    .click();
  const label = page.locator("dialog[open] .several label").first();
  const [tick, words] = [await box(label.locator("input")), await box(label)];
  expect(tick.right - tick.left).toBeLessThan(32);
  expect(tick.top).toBeGreaterThanOrEqual(words.top - 1);
  expect(tick.bottom).toBeLessThanOrEqual(words.bottom + 1);
});

test("the code for another phone stands below its sentence", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  onDuty(answers);
  await page.goto("/mechanic/you/trackers");
  await page.locator("main input").fill("My phone");
  await page.getByRole("button", { name: "Connect", exact: false }).last().click();
  const code = await box(page.locator(".setup svg[role=img]"));
  const sentence = await box(page.locator(".setup .there"));
  expect(code.top).toBeGreaterThanOrEqual(sentence.bottom);
});

test("what a map says about itself is above the sheet over its edge", { tag: "@map" }, async ({ open }) => {
  const mechanics = await open("mechanic");
  onDuty(mechanics.answers);
  await mechanics.page.goto("/mechanic/");
  const customers = await open("customer");
  customers.answers.give("GET /jobs/{id}", (job) => ({
    ...job,
    status: "en_route" as const,
    en_route_at: job.accepted_at,
  }));
  customers.answers.give("GET /jobs/{id}/line-items", none);
  customers.answers.give("GET /payments", none);
  await customers.page.goto(`/customer/jobs/${examples().of("Job").id}`);
  for (const page of [mechanics.page, customers.page]) {
    const credits = page.locator(".maplibregl-ctrl-bottom-right").first();
    await expect(credits).toBeAttached();
    const panel = page.locator(".panel").first();
    expect((await box(credits)).bottom).toBeLessThanOrEqual((await box(panel)).top + 1);
  }
});

test("nothing on a phone covers what a map says about itself", { tag: "@map" }, async ({ open }) => {
  const small = { viewport: { width: 360, height: 560 } };
  const mechanics = await open("mechanic", small);
  onDuty(mechanics.answers);
  const customers = await open("customer", small);
  customers.answers.give("GET /jobs", none);
  customers.answers.give("GET /payments/unpaid-fees", none);
  customers.answers.give("GET /jobs/{id}/line-items", none);
  customers.answers.give("GET /payments", none);
  const job = examples().of("Job");
  const nobody = { mechanic_profile_id: null, mechanic_first_name: null, accepted_at: null, promised_at: null };
  const follow = (changes: object) => {
    customers.answers.give("GET /jobs/{id}", { ...job, ...changes });
    return customers.page.goto(`/customer/jobs/${job.id}`);
  };

  await mechanics.page.goto("/mechanic/");
  await expectCreditsInSight(mechanics.page);
  await follow({ ...nobody, status: "dispatching", seq: 1 });
  await expectCreditsInSight(customers.page);
  await follow({ status: "en_route", en_route_at: job.accepted_at });
  await expectCreditsInSight(customers.page);
  await customers.page.goto("/customer/");
  await customers.page.locator(".problem").first().click();
  await expectCreditsInSight(customers.page);
});

test("a row that is reached by the keyboard is not under the tabs", async ({ open }) => {
  const { page, answers } = await open("mechanic", { viewport: { width: 360, height: 560 } });
  onDuty(answers);
  await page.goto("/mechanic/wallet");
  const last = page.locator("main nav a").last();
  await expect(last).toBeAttached();
  await last.focus();
  expect((await box(last)).bottom).toBeLessThanOrEqual((await box(page.locator("nav.tabs"))).top + 1);
});
