// `test` with a running service; every test gets pages at its address.
import { test as base } from "@playwright/test";
import { Service } from "./service";

export { expect } from "@playwright/test";

export const test = base.extend<object, { service: Service }>({
  service: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const service = await Service.start();
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 150_000 },
  ],
  baseURL: async ({ service }, use) => use(service.url),
});
