// `test` with pages that need no service: the built apps, and answers from the examples of the API documents.
import { test as base, type BrowserContext, type BrowserContextOptions, type Page } from "@playwright/test";
import { Answers, none, NOW } from "./answers";
import { Dist } from "./dist";
import { examples, type Schemas } from "./examples";
import { PHONE } from "./signin";

export { expect } from "@playwright/test";
export { Answers, none, NOW } from "./answers";
export { examples, type Schemas } from "./examples";

export type App = "customer" | "mechanic" | "console" | "partners";

export interface Opened {
  page: Page;
  context: BrowserContext;
  answers: Answers;
}

/** The position of the people in the examples. */
export const HERE = { latitude: 12.97297, longitude: 77.61701, accuracy: 12 };

interface Fixtures {
  /** Opens a browser in which somebody is signed in to an app, or nobody. Closed at the end of the test. */
  open: (app: App | null, options?: BrowserContextOptions) => Promise<Opened>;
}

export const test = base.extend<Fixtures>({
  open: async ({ browser }, use) => {
    const opened: { context: BrowserContext; answers: Answers; dist: Dist }[] = [];
    await use(async (app, options = {}) => {
      const answers = new Answers();
      settle(answers, app);
      const dist = await Dist.serve(answers);
      const context = await browser.newContext({
        viewport: PHONE,
        locale: "en-IN",
        timezoneId: "Asia/Kolkata",
        reducedMotion: "reduce",
        geolocation: HERE,
        permissions: ["geolocation"],
        baseURL: dist.url,
        ...options,
      });
      opened.push({ context, answers, dist });
      await context.clock.setFixedTime(NOW);
      await context.addInitScript(withoutWorker);
      await answers.take(context);
      watch(context, answers, dist.url);
      return { page: await context.newPage(), context, answers };
    });
    const problems = opened.flatMap(({ answers }) => answers.problems);
    for (const { context, dist } of opened) {
      await context.close();
      await dist.stop();
    }
    if (problems.length > 0) throw new Error(`the pages did what they should not:\n${problems.join("\n")}`);
  },
});

/** Runs in the page: its service worker is never ready, as on a first visit. A worker's requests are invisible here. */
function withoutWorker(): void {
  // The empty page of a new tab has no service workers.
  if ("ServiceWorkerContainer" in globalThis) ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
}

/** Sets up a service on which everything works, and the signed-in person. */
function settle(answers: Answers, app: App | null): void {
  configure(answers);
  answers.give("POST /auth/refresh", (answer) => (app === null ? (null as never) : signedIn(answer, app)));
  // An admin of the console works at every desk.
  const desks: Schemas["Desk"][] = ["dispatch", "money", "people", "settings"];
  if (app === "console") answers.give("GET /users/me", (me) => ({ ...me, role: "super_admin" as const, desks }));
  // Offers of clubs ring on every page.
  answers.give("GET /admin/partner-offers", none);
}

/** Changes the service's configuration, which is otherwise as usual. */
export function configure(answers: Answers, changes: Partial<Schemas["AppConfig"]> = {}): void {
  answers.give("GET /config", (config) => ({
    ...config,
    // The ground that is built into the apps.
    map: { ...config.map, basemap_url: null },
    job_stop: null,
    admin_sign_in: { kind: "password" as const, provider_name: null },
    ...changes,
  }));
}

function signedIn<T extends { data: object }>(answer: T, app: App): T {
  const userId = app === "mechanic" ? examples().of("OwnMechanicProfile").user_id : examples().of("Me").id;
  return { ...answer, data: { ...answer.data, role: app === "console" ? "super_admin" : "customer", userId } };
}

/** Collects unwanted console output of a page, and missing files. */
function watch(context: BrowserContext, answers: Answers, url: string): void {
  context.on("weberror", (error) =>
    answers.problems.push(`${error.page()?.url()}: ${error.error().stack ?? error.error().message}`),
  );
  context.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      answers.problems.push(`${message.page()?.url()}: ${message.text()}`);
  });
  context.on("response", (response) => {
    const { origin, pathname } = new URL(response.url());
    if (response.status() === 404 && origin === url && !pathname.startsWith("/api/"))
      answers.problems.push(`there is no file ${pathname}`);
  });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== url) answers.problems.push(`a request to ${request.url()}`);
  });
}
