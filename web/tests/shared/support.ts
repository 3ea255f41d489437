// `test` with the pages in `pages/`, built like the apps and served with the service's Content-Security-Policy.
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { build, preview } from "vite";
import type { Schemas } from "../support/examples";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import {
  Mechanic,
  newAdmin,
  newJob,
  newPhone,
  newVehicle,
  signIn as newCustomer,
  type Person,
} from "../support/people";
import type { Service } from "../support/service";
import { enter } from "../support/signin";
import { expect, test as base } from "../support/test";

export { enter, expect, newPhone };

const configFile = resolve(import.meta.dirname, "pages/vite.config.ts");

export const test = base.extend<object, { pages: string }>({
  /** The address of the pages. */
  pages: [
    async ({ service }, use) => {
      process.env["ROADCALL_URL"] = service.url;
      const outDir = mkdtempSync(join(tmpdir(), "roadcall-pages-"));
      await build({ configFile, logLevel: "warn", build: { outDir } });
      const server = await preview({
        configFile,
        logLevel: "silent",
        build: { outDir },
        preview: { port: 0, host: "127.0.0.1" },
      });
      await use(server.resolvedUrls?.local[0] ?? "");
      // This also ends sockets that are still open.
      await server.close();
      rmSync(outDir, { recursive: true });
    },
    { scope: "worker", timeout: 150_000 },
  ],
  baseURL: async ({ pages }, use) => use(pages),
});

/** Creates a customer and a mechanic who has accepted their job. */
export async function acceptedJob(
  service: Service,
): Promise<{ customer: Person; mechanic: Mechanic; job: Schemas["Job"] }> {
  const admin = await newAdmin(service);
  // Far from the jobs of other tests.
  const at = { lat: 12.9 + randomInt(0, 1000) / 1e4, lng: 77.5 + randomInt(0, 1000) / 1e4 };
  const mechanic = await Mechanic.register(service, admin, "Manju", at);
  const customer = await newCustomer(service, "Asha");
  const job = await newJob(customer, await newVehicle(customer), at);
  await mechanic.goOnline();
  return { customer, mechanic, job: await mechanic.accept(job.id) };
}

/** Signs in by hand. */
export async function signIn(page: Page, phone: string): Promise<void> {
  await page.getByLabel("Mobile number").fill(phone);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Fill in" }).click();
}

/** Collects unwanted console output of a page until the context is closed. */
export function watch(context: BrowserContext): string[] {
  const said: string[] = [];
  context.on("weberror", (error) => said.push(error.error().message));
  context.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) said.push(message.text());
  });
  return said;
}

/** Fails if axe finds a violation, or if the page does not fit its screen with large text or from right to left. */
export async function accessible(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectToFit(page);
}

/** Signs a new person in to the browser, and opens a page of these tests. */
export async function begin(page: Page, pages: string, service: Service, part: string): Promise<void> {
  const { phone } = await newCustomer(service, "Asha");
  await enter(page.context(), pages, service, phone);
  await page.goto(`/#${part}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(part);
}

/** Returns a picture like one from a camera. */
export async function picture(
  page: Page,
  width: number,
  height: number,
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const data = await page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d");
      for (let x = 0; x < (width ?? 0) && context; x += 20) {
        context.fillStyle = `hsl(${x % 360} 60% 50%)`;
        context.fillRect(x, 0, 20, height ?? 0);
      }
      return canvas.toDataURL("image/png").split(",")[1] ?? "";
    },
    [width, height],
  );
  return { name: "photo.png", mimeType: "image/png", buffer: Buffer.from(data, "base64") };
}
