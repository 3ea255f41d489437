// Pages of the phones' apps while what they show is on its way, cannot be read, is empty, or has long texts.
import { examples, expect, none, test, type Answers, type App } from "../support/pages";
import type { Operation } from "../support/examples";
import { inLook, phone, see, settled } from "./look";

interface Read {
  app: App;
  path: string;
  /** What the page shows. */
  of: Operation;
  isList: boolean;
}

const list = (app: App, path: string, of: Operation): Read => ({ app, path, of, isList: true });
const one = (app: App, path: string, of: Operation): Read => ({ app, path, of, isList: false });

const PAGES: Read[] = [
  list("customer", "/history", "GET /jobs"),
  list("customer", "/vehicles", "GET /vehicles"),
  list("customer", "/notifications", "GET /notifications"),
  list("mechanic", "/jobs", "GET /jobs"),
  one("mechanic", "/wallet", "GET /wallet"),
  list("mechanic", "/wallet/upi", "GET /wallet/upi"),
  list("mechanic", "/wallet/statement", "GET /wallet/transactions"),
  list("mechanic", "/wallet/settlements", "GET /wallet/settlements"),
  list("mechanic", "/wallet/disputes", "GET /wallet/disputes"),
  list("mechanic", "/you/ratings", "GET /mechanics/{id}/ratings"),
  one("mechanic", "/you/figures", "GET /mechanics/me/stats"),
  list("mechanic", "/you/notifications", "GET /notifications"),
];

/** A mechanic who is verified. */
function signedIn(answers: Answers, app: App): void {
  if (app !== "mechanic") return;
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({ ...me, id: own.user_id, mechanic_profile_id: own.id }));
}

/** What people write themselves. */
const WRITTEN =
  /^(name|.*_name|make|model|color|title|description|body|text|comment|note|.*_note|address|.*_address|label)$/;
const LONG = "Thiruvananthapuramkaripurkozhikkode and everything that can be said of it in one breath";

/** The same answer, in which each text is as long as a person may write it, with a word that fits no line. */
function withLongTexts(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key: string, value: unknown) =>
    typeof value === "string" && WRITTEN.test(key) ? `${value} ${LONG}` : value,
  );
}

for (const { app, path, of, isList } of PAGES) {
  test(`${app}${path} waits, says what went wrong, is empty, and takes long texts`, async ({ open }, info) => {
    const look = { name: "phone", viewport: phone, colorScheme: "light" } as const;
    const { page, answers } = await open(app, inLook(look, "en-IN"));
    signedIn(answers, app);
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

    answers.everyBody = (body, operation) => (operation === of ? withLongTexts(body) : body);
    await page.reload();
    await see(page, info, name("long"), fits);
    if (app === "customer") await expect(page.getByText("Thiruvananthapuram").first()).toBeVisible();
  });
}
