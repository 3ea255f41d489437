// `test` with the pages in `pages/`, built as the apps are and served with the service's Content-Security-Policy.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { APIRequestContext, BrowserContext, Page } from "@playwright/test";
import { build, preview } from "vite";
import { expect, test as base } from "../support/test";

export { expect };

const configFile = resolve(import.meta.dirname, "pages/vite.config.ts");

export const test = base.extend<object, { pages: string }>({
  /** Their address. */
  pages: [
    async ({ service }, use) => {
      process.env["ROADCALL_URL"] = service.url;
      const outDir = mkdtempSync(join(tmpdir(), "roadcall-pages-"));
      await build({ configFile, logLevel: "warn", build: { outDir } });
      const server = await preview({ configFile, logLevel: "warn", build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
      await use(server.resolvedUrls?.local[0] ?? "");
      await new Promise<void>((closed) => server.httpServer.close(() => closed()));
      rmSync(outDir, { recursive: true });
    },
    { scope: "worker", timeout: 150_000 },
  ],
  baseURL: async ({ pages }, use) => use(pages),
});

let numbers = 0;
/** A number that nobody has used. */
export function newPhone(): string {
  numbers += 1;
  return `+9198${String(Date.now() % 100_000).padStart(5, "0")}${String(numbers).padStart(3, "0")}`;
}

export interface Account {
  phone: string;
  token: string;
  userId: string;
  /** A request of this account, which must succeed. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** An account, signed in over the interface. */
export async function account(request: APIRequestContext, url: string, name: string): Promise<Account> {
  const phone = newPhone();
  const verified = await verify(request, url, phone, name);
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await request.fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${verified.accessToken}`, "idempotency-key": crypto.randomUUID() },
      ...(body === undefined ? {} : { data: body }),
    });
    expect(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return (response.status() === 204 ? undefined : await response.json()) as T;
  };
  return { phone, token: verified.accessToken, userId: verified.userId, call };
}

interface Verified {
  accessToken: string;
  userId: string;
}

async function verify(request: APIRequestContext, url: string, phone: string, name?: string): Promise<Verified> {
  const sent = await request.post(`${url}/api/v1/auth/send-otp`, { data: { phone } });
  const { data } = (await sent.json()) as { data: { otp: string } };
  const answer = await request.post(`${url}/api/v1/auth/verify-otp`, { data: { phone, otp: data.otp, ...(name ? { name } : {}) } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { data: Verified }).data;
}

/** Signs in by hand. */
export async function signIn(page: Page, phone: string): Promise<void> {
  await page.getByLabel("Mobile number").fill(phone);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Fill in" }).click();
}

/** Ends when the context is closed: what a page said on its console that it should not have. */
export function watch(context: BrowserContext): string[] {
  const said: string[] = [];
  context.on("weberror", (error) => said.push(error.error().message));
  context.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) said.push(message.text());
  });
  return said;
}

const axe = readFileSync(resolve(import.meta.dirname, "../../node_modules/axe-core/axe.min.js"), "utf8");

/** Fails if axe finds something, or if the page scrolls sideways. */
export async function accessible(page: Page): Promise<void> {
  // By the debugger, which no Content-Security-Policy stops.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  expect(found).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Signs in a new person in the browser, and opens a page of these tests. */
export async function begin(page: Page, part: string, name = "Asha"): Promise<void> {
  await page.goto("/");
  await signIn(page, newPhone());
  await page.getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
  await expect(page.getByText("customer")).toBeVisible();
  await page.goto(`/?${part}#${part}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(part.split("/")[0] ?? "");
}

/** A picture as a camera makes it. */
export async function picture(page: Page, width: number, height: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
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
