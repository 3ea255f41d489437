// `test` with a service whose queues are full, and a browser in which an admin is signed in.
import type { Page } from "@playwright/test";
import { Person } from "../support/people";
import { Service } from "../support/service";
import { test as base } from "../support/test";
import { EVIL, fill, SETTINGS } from "./desk-fill";

export { expect } from "@playwright/test";

const EMAIL = "desk@example.com";
const PASSWORD = "seven drawers in a grey desk";

export type Filled = Awaited<ReturnType<typeof fill>>;

interface Desk {
  /** Opens a page of the console and waits for it. */
  open(path: string): Promise<void>;
  /** Presses a key once its button has appeared. */
  press(key: string): Promise<void>;
  page: Page;
}

export const test = base.extend<{ desk: Desk }, { queues: string; admin: Person; filled: Filled; evil: Filled }>({
  // The queues of the service: files with different settings have separate services.
  queues: ["", { scope: "worker", option: true }],
  service: [
    async ({ queues: _ }, use) => {
      const service = await Service.start(SETTINGS);
      await service.run(["admin", "create", "--email", EMAIL, "--role", "super_admin"], `${PASSWORD}\n`);
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 150_000 },
  ],
  admin: [
    async ({ service }, use) => {
      const ask = async (path: string, body: object) =>
        (
          await fetch(`${service.url}${path}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          })
        ).json();
      const { idToken } = (await ask("/idp/token", { email: EMAIL, password: PASSWORD })) as { idToken: string };
      const { data } = (await ask("/auth/admin-login", { idpIdToken: idToken })) as {
        data: { accessToken: string; userId: string };
      };
      await use(new Person(service.url, data.accessToken, data.userId, EMAIL, "Admin"));
    },
    { scope: "worker" },
  ],
  filled: [
    async ({ service, admin }, use) =>
      use(
        await fill(service, admin, {
          customer: "Meera Iyer",
          mechanic: "Suresh Babu",
          applicant: "Joseph Antony",
          words: "The tyre was flat again after two kilometres.",
        }),
      ),
    { scope: "worker", timeout: 150_000 },
  ],
  evil: [
    async ({ service, admin }, use) =>
      use(
        await fill(service, admin, { customer: EVIL[0], mechanic: EVIL[1], applicant: EVIL[0], words: EVIL.join(" ") }),
      ),
    { scope: "worker", timeout: 150_000 },
  ],
  desk: async ({ page, context, service }, use) => {
    const ask = (path: string, data: object) =>
      context.request.post(`${service.url}/api/v1${path}`, { data, headers: { "X-Session": "cookie/console" } });
    const { idToken } = (await (await ask("/idp/token", { email: EMAIL, password: PASSWORD })).json()) as {
      idToken: string;
    };
    const signedIn = await ask("/auth/admin-login", { idpIdToken: idToken });
    if (!signedIn.ok()) throw new Error(await signedIn.text());
    await use({
      page,
      open: async (path) => {
        await page.goto(`/console${path}`);
        // There is also a heading before the session is resumed.
        await page.locator("#main h1").waitFor();
        await page.waitForFunction(
          () =>
            !document.querySelector("main [aria-busy=true], main .bone") &&
            ![...document.querySelectorAll("main [role=status]")].some((status) =>
              status.textContent?.startsWith("Loading"),
            ),
        );
      },
      press: async (key) => {
        await page.locator(`main button[aria-keyshortcuts="${key}"]`).first().waitFor();
        await page.keyboard.press(key);
      },
    });
  },
});
