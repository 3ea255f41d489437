// The start of an app: its requests, and what it shows if the service is too busy for them.
import type { Page } from "@playwright/test";
import { examples, expect, none, test, type Answers, type App } from "../support/pages";

/** Sets up a verified mechanic who is on duty, with a job in progress if `hasJob`. */
function onDuty(answers: Answers, hasJob: boolean): void {
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
  answers.give("GET /mechanics/me/offers", none);
  answers.give("GET /mechanics/me/lost-jobs", none);
  answers.give("GET /mechanics/me/parked", (answer) => ({ ...answer, parked: null }));
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", none);
  const job = { ...examples().of("Job"), start_code: null };
  answers.give("GET /jobs", (list) => ({ ...list, data: hasJob ? [job] : [] }));
  answers.give("GET /jobs/{id}", job);
}

/** Returns a page's requests, such as "GET /users/me", without the positions that it keeps sending. */
function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const [, path] = request.url().split("/api/v1");
    if (path !== undefined && !path.startsWith("/mechanics/me/location")) asked.push(`${request.method()} ${path}`);
  });
  return asked;
}

/** Waits until the start is over: until each part of the page has requested its data. */
async function started(page: Page, answers: Answers, hasJob: boolean): Promise<void> {
  await expect.poll(() => answers.asked).toContain("GET /mechanics/me/lost-jobs");
  await expect.poll(() => answers.asked).toContain("GET /notifications/unread-count");
  if (hasJob) await expect.poll(() => answers.asked).toContain("GET /payments");
  await expect(page.locator("[aria-busy=true], .bone, .loading")).toHaveCount(0);
  await page.waitForLoadState("networkidle");
}

const repeated = (asked: string[]) => asked.filter((request, index) => asked.indexOf(request) !== index);

for (const [name, path, hasJob] of [
  ["on duty", "/", false],
  ["at work", "/", true],
  ["on the page of the job", "/job", true],
] as const) {
  test(`a mechanic's app that starts ${name} asks for everything once`, async ({ open }) => {
    const { page, answers } = await open("mechanic");
    onDuty(answers, hasJob);
    const asked = requestsOf(page);
    await page.goto(`/mechanic${path}`);
    await started(page, answers, hasJob);
    expect(repeated(asked)).toEqual([]);
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(24);

    // At the second start the device already has the job.
    asked.length = 0;
    answers.asked.length = 0;
    await page.reload();
    await started(page, answers, hasJob);
    expect(repeated(asked)).toEqual([]);
  });
}

test("a mechanic's app whose socket does not open asks all the same", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  onDuty(answers, false);
  answers.refuse("POST /ws/ticket", 503, "UNAVAILABLE");
  await page.goto("/mechanic/");
  await expect(page.getByText("You are online", { exact: true })).toBeVisible();
});

for (const app of ["customer", "mechanic", "console"] satisfies App[]) {
  test(`who reloads the ${app}'s app too often reads that, and not that the service is away`, async ({ open }) => {
    const { page, answers } = await open(app);
    answers.refuse("POST /auth/refresh", 429, "RATE_LIMITED");
    await page.goto(`/${app}/`);
    // The console shows the service's own message.
    await expect(page.getByText(app === "console" ? "This is why." : "Too many attempts.").first()).toBeVisible();
    await expect(page.getByText(/can't be reached|No connection/)).toHaveCount(0);
  });
}

test("a mechanic whose profile is refused at the start reads why", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  onDuty(answers, false);
  answers.refuse("GET /users/me", 429, "RATE_LIMITED");
  // Without a socket the page can't learn the state in another way.
  answers.refuse("POST /ws/ticket", 429, "RATE_LIMITED");
  await page.goto("/mechanic/");
  await expect(page.getByRole("heading", { name: "One moment, please" })).toBeVisible();
  await expect(page.getByText("Too many attempts.").first()).toBeVisible();
  await expect(page.getByText(/can't be reached|No connection/)).toHaveCount(0);
});
