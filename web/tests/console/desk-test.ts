// `test` with a service whose queues are full, and a browser in which an admin is signed in.
import type { Page } from "@playwright/test";
import { newAdmin, type Person } from "../support/people";
import { test as base } from "../support/test";
import { EVIL, fill, SETTINGS } from "./desk-fill";
import { enterConsole } from "./live-support";

export { expect } from "@playwright/test";

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
  settings: async ({ queues: _ }, use) => use(SETTINGS),
  admin: [async ({ service }, use) => use(await newAdmin(service)), { scope: "worker" }],
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
  desk: async ({ page, context, service, admin }, use) => {
    await enterConsole(context, service, admin);
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
