import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";

/** Serves the service's own configuration with `changes`. */
async function withConfig(page: Page, changes: object): Promise<void> {
  await page.route("**/api/v1/config", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), ...changes } });
  });
}

const idle = {
  is_playing: false,
  is_moved: false,
  center: { lat: 12.9716, lng: 77.5946 },
  started_at: null,
  title: "Bengaluru, a weekday evening",
  failure: null,
};
const doors = (page: Page) => page.getByRole("navigation").getByRole("link");

test("it says what this is and leads to the three apps, on a small phone, dark and light", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/home/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Broken down? Get a mechanic to your vehicle.");
    await expect(doors(page)).toHaveCount(3);
    expect(await doors(page).evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
      "/customer/",
      "/mechanic/",
      "/console/",
    ]);
    await expect(page.getByRole("link", { name: "API documentation" })).toHaveAttribute("href", "/docs/");
    await expectToFit(page, { wall: true });
    await expectAccessible(page);
  }
});

test("in every app the chosen colours are there before its scripts are", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("roadcall-scheme", "light"));
  await page.emulateMedia({ colorScheme: "dark" });
  await page.route("**/assets/index-*.js", (route) => route.abort());
  for (const app of ["home", "customer", "mechanic", "console"]) {
    await page.goto(`/${app}/`);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), app).toBe("light");
    await expect(page.locator("#app")).toBeEmpty();
  }
});

test("it is in the language of the device, and in another one as soon as it is chosen", async ({
  browser,
  service,
}) => {
  const context = await browser.newContext({ locale: "hi-IN", baseURL: service.url });
  const page = await context.newPage();
  await page.goto("/home/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("गाड़ी ख़राब हो गई? मैकेनिक बुलाएँ।");
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  await page.getByRole("combobox").selectOption("kn");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ಮೆಕ್ಯಾನಿಕ್");
  await expectAccessible(page);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "kn");
});

test("in production the console is a small link and there is no demo", async ({ page }) => {
  await withConfig(page, { environment: "production", demo_available: false });
  await page.goto("/home/");
  await expect(doors(page)).toHaveCount(2);
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Dispatch console" })).toHaveAttribute(
    "href",
    "/console/",
  );
  await expect(page.getByRole("button")).toHaveCount(0);
});

test("the doors are there when the service can't be reached", async ({ page }) => {
  await page.route("**/api/v1/**", (route) => route.abort());
  await page.goto("/home/");
  await expect(doors(page)).toHaveCount(2);
});

test(
  "playing the demo city opens the console, signed in as its admin",
  { tag: "@map" },
  async ({ page, context, service }) => {
    await signInBrowser(context, service.url, service, "customer", "Asha");
    const open = await context.newPage();
    await open.goto("/customer/account");
    await expect(open.getByLabel("Name")).toHaveValue("Asha");
    await page.goto("/home/");
    await page.getByRole("button", { name: "Play the demo city" }).click();
    await page.waitForURL("**/console/", { timeout: 90_000 });
    // Leaving a page while it refreshes its session would leave a used token behind.
    await page.waitForLoadState("networkidle");
    /** Returns the person behind an app's cookie: their role, and the answer of `path` to them. */
    const who = (app: string, path: string) =>
      page.evaluate(
        async ([app, path]) => {
          const answer = await fetch("/api/v1/auth/refresh", {
            method: "POST",
            headers: { "content-type": "application/json", "X-Session": `cookie/${app}` },
            body: "{}",
          });
          const { data } = (await answer.json()) as { data: { role: string; accessToken: string } };
          const said = await fetch(`/api/v1${path}`, { headers: { Authorization: `Bearer ${data.accessToken}` } });
          return { role: data.role, ...((await said.json()) as object) };
        },
        [app, path] as const,
      );
    await page.goto("/home/");
    expect(await who("console", "/demo")).toMatchObject({ role: "super_admin", is_playing: true });
    await expect(page.getByText("Playing")).toBeVisible();
    await expectAccessible(page);
    for (const [app, path, is] of [
      ["customer", "/users/me", { role: "customer", name: "Demo Customer" }],
      ["mechanic", "/mechanics/me", { status: "verified" }],
    ] as const) {
      await page.getByRole("button", { name: `Sign in as the demo ${app}` }).click();
      await page.waitForURL(`**/${app}/`, { timeout: 90_000 });
      await page.waitForLoadState("networkidle");
      await page.goto("/home/");
      expect(await who(app, path)).toMatchObject(is);
    }
    // An open page of the app shows the new person's data.
    await expect(open.getByLabel("Name")).toHaveValue("Demo Customer");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.getByRole("button", { name: "Play the demo city" })).toBeVisible();
  },
);

test("the demo city plays around where the visitor is", async ({ page, context }) => {
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 52.5204, longitude: 13.4049 });
  await withConfig(page, { demo_available: true });
  const berlin = { ...idle, is_playing: true, is_moved: true, started_at: new Date().toISOString() };
  await page.route("**/api/v1/demo", (route) => route.fulfill({ json: berlin }));
  await page.route("**/api/v1/demo/sign-in", (route) => route.abort());
  const asked: string[] = [];
  await page.route("**/api/v1/demo/play*", (route) => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ json: berlin });
  });
  await page.goto("/home/");
  await expect(page.getByText("A city around where you are")).toBeVisible();
  await page.getByRole("button", { name: "Sign in as the demo customer" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  expect(asked).toEqual(["?lat=52.52&lng=13.405"]);
});

test("a demo that does not begin says why, and can be tried again", async ({ page }) => {
  await withConfig(page, { demo_available: true });
  await page.route("**/api/v1/demo", (route) => route.fulfill({ json: { ...idle, failure: "The database is full." } }));
  await page.route("**/api/v1/demo/play", (route) => route.abort());
  await page.goto("/home/");
  await expect(page.getByText("The demo city ended: The database is full.")).toBeVisible();
  const button = page.getByRole("button", { name: "Play the demo city" });
  await button.click();
  await expect(page.getByRole("alert")).toContainText("can't be reached");
  await expect(button).toHaveAttribute("aria-busy", "false");
  await page.unroute("**/api/v1/demo/play");
  await page.route("**/api/v1/demo/play", (route) =>
    route.fulfill({
      status: 403,
      json: { success: false, error: { code: "FORBIDDEN", message: "The demo is only for this machine." } },
    }),
  );
  await button.click();
  await expect(page.getByRole("alert")).not.toContainText("can't be reached");
});

test("the map behind it costs nothing on phones, nor where motion is reduced", { tag: "@map" }, async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const isMap = () => asked.some((url) => /maplibre|bengaluru/.test(url));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/home/", { waitUntil: "networkidle" });
  expect(isMap()).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/home/", { waitUntil: "networkidle" });
  expect(isMap()).toBe(false);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/home/");
  await expect(page.locator(".backdrop canvas")).toBeAttached();
  await expectAccessible(page);
});
