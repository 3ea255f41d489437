// Pages of the phone apps while their content is loading, cannot be read, is empty, or contains long texts.
import { examples, expect, none, test, type Answers, type App } from "../support/pages";
import type { Operation } from "../support/examples";
import { phone, see, settled } from "./look";

interface Read {
  app: App;
  path: string;
  /** The request whose answer the page shows. */
  of: Operation;
  isList: boolean;
  /** Whether the page shows texts that people wrote. */
  hasTexts: boolean;
}

const texts = (app: App, path: string, of: Operation): Read => ({ app, path, of, isList: true, hasTexts: true });
const entries = (app: App, path: string, of: Operation): Read => ({ app, path, of, isList: true, hasTexts: false });
const figures = (app: App, path: string, of: Operation): Read => ({ app, path, of, isList: false, hasTexts: false });

const PAGES: Read[] = [
  texts("customer", "/history", "GET /jobs"),
  texts("customer", "/vehicles", "GET /vehicles"),
  texts("customer", "/notifications", "GET /notifications"),
  texts("mechanic", "/jobs", "GET /jobs"),
  figures("mechanic", "/wallet", "GET /wallet"),
  entries("mechanic", "/wallet/upi", "GET /wallet/upi"),
  entries("mechanic", "/wallet/statement", "GET /wallet/transactions"),
  entries("mechanic", "/wallet/settlements", "GET /wallet/settlements"),
  entries("mechanic", "/wallet/disputes", "GET /wallet/disputes"),
  texts("mechanic", "/you/ratings", "GET /mechanics/{id}/ratings"),
  figures("mechanic", "/you/figures", "GET /mechanics/me/stats"),
  texts("mechanic", "/you/notifications", "GET /notifications"),
];

/** Makes the person of the mechanics' app a verified mechanic. */
function verify(answers: Answers, app: App): void {
  if (app !== "mechanic") return;
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
}

/** The fields for texts that people write. */
const WRITTEN =
  /^(name|.*_name|make|model|color|title|description|body|text|comment|note|.*_note|address|.*_address|label)$/;
const LONG = "Thiruvananthapuramkaripurkozhikkode and everything that can be said of it in one breath";

/** Returns the answer with a long sentence after each text, whose first word is too long for any line of a phone. */
function withLongTexts(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key: string, value: unknown) =>
    typeof value === "string" && WRITTEN.test(key) ? `${value} ${LONG}` : value,
  );
}

for (const { app, path, of, isList, hasTexts } of PAGES) {
  const more = `${isList ? ", is empty" : ""}${hasTexts ? ", takes long texts" : ""}`;
  test(`${app}${path} waits, says what went wrong${more}`, async ({ open }, info) => {
    const { page, answers } = await open(app, { viewport: phone, colorScheme: "light" });
    verify(answers, app);
    const name = (state: string) => `${app}${path.replaceAll("/", "-")}-${state}`;
    const fits = { fits: true, screenAsHighAsPage: app === "mechanic" };

    const release = await answers.hold(of);
    await page.goto(`/${app}${path}`);
    await see(page, info, name("loading"), { ...fits, isLoading: true });
    await release();
    await settled(page);

    answers.refuse(of, 500, "INTERNAL_ERROR");
    await page.reload();
    await see(page, info, name("failed"), { ...fits, withFaults: true });
    answers.forget(of);
    await page.getByRole("button", { name: "Try again" }).first().click();
    await settled(page);

    if (isList) {
      answers.give(of, (answer) => none(answer as { data: unknown[] }) as never);
      await page.reload();
      await see(page, info, name("empty"), fits);
      answers.forget(of);
    }

    if (!hasTexts) return;
    answers.everyBody = (body, operation) => (operation === of ? withLongTexts(body) : body);
    await page.reload();
    await expect(page.getByText("Thiruvananthapuram").first()).toBeVisible();
    await see(page, info, name("long"), fits);
  });
}
