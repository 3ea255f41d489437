// `test` with a running service; every test gets pages at its address.
import { test as base } from "@playwright/test";
import { Service } from "./service";

export { expect } from "@playwright/test";

export const test = base.extend<{ closing: void }, { settings: Record<string, string>; service: Service }>({
  /**
   * Files that need other settings: `test.use({ settings: { ROADCALL__FEES__FREE_AFTER_ACCEPT_S: "0" }
   * })`.
   */
  settings: [{}, { scope: "worker", option: true }],
  service: [
    async ({ settings }, use) => {
      const service = await Service.start(settings);
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 150_000 },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  /** Closes what a test opened beside its own page. */
  closing: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});
