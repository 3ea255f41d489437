// Everything that all apps share: their pages, their tabs, and the demands of a busy service.
import { createECDH, randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { enterConsole } from "../console/live-support";
import { newAdmin, newVehicle } from "../support/people";
import { signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";
import { acceptedJob, enter } from "./support";

const busy = (afterS: number) => ({
  status: 503,
  headers: { "retry-after": String(afterS) },
  json: { success: false, error: { code: "UNAVAILABLE", message: "The service is busy." } },
});

/** Waits until the app's service worker controls the page. */
async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test("each app: a skip link, a page for broken addresses, and a sign-out that failed says so", async ({
  page,
  context,
  service,
}) => {
  await signInBrowser(context, service.url, service, "customer", "Asha");
  await signInBrowser(context, service.url, service, "mechanic", "Ravi");
  await enterConsole(context, service, await newAdmin(service));
  for (const { app, account, missing } of [
    { app: "customer", account: "/account", missing: "This page does not exist" },
    { app: "mechanic", account: "/you/account", missing: "This page does not exist" },
    { app: "console", account: "/account", missing: "There is no such page" },
  ]) {
    await page.goto(`/${app}/jobs/%E0`);
    await expect(page.getByRole("heading", { name: missing })).toBeVisible();

    await page.goto(`/${app}${account}`);
    const signOut = page.getByRole("button", { name: "Sign out", exact: true });
    await expect(signOut).toBeVisible();
    const skip = page.locator(".skip");
    await skip.focus();
    await expect(skip).toBeInViewport();
    const target = await skip.getAttribute("href");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${target}$`));
    await expect(signOut).toBeVisible();
    await page.keyboard.press("Tab");
    expect(await page.evaluate((target) => document.activeElement?.closest(target) !== null, target ?? "")).toBe(true);

    await page.route("**/auth/logout", (route) => route.fulfill(busy(7)));
    await signOut.click();
    await expect(
      page
        .getByRole("alert")
        .or(page.getByRole("status"))
        .filter({ hasText: /in 7 seconds|The service is busy/ }),
    ).toBeVisible();
    await page.reload();
    await expect(signOut).toBeVisible();
    await page.unroute("**/auth/logout");
    await signOut.click();
    await expect(page.getByLabel(/Mobile number|Email/)).toBeVisible();
  }
});

test("Back shows a page where it was scrolled, another page begins at its top", async ({ page, context, service }) => {
  const customer = await signInBrowser(context, service.url, service, "customer", "Asha");
  for (let count = 0; count < 6; count += 1) await newVehicle(customer);
  await page.setViewportSize({ width: 360, height: 400 });
  await page.goto("/customer/vehicles");
  const last = page.getByRole("main").getByRole("listitem").last().getByRole("link");
  await last.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(50);
  await last.click();
  await expect(page.getByRole("button", { name: "Remove" })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
});

test("a new version that one tab takes is loaded by the others, or offered where something is typed", async ({
  page,
  context,
  service,
}) => {
  await signInBrowser(context, service.url, service, "customer", "Asha");
  await page.goto("/customer/");
  await installed(page);
  const idle = await context.newPage();
  await idle.goto("/customer/");
  const typing = await context.newPage();
  await typing.goto("/customer/vehicles/new");
  await typing.getByLabel("Number plate").fill("KA01");
  for (const tab of [page, idle, typing]) await tab.evaluate(() => Object.assign(window, { isOld: true }));
  const isOld = (tab: Page) => tab.evaluate(() => "isOld" in window).catch(() => true);
  // To the browser, a worker with another address is a newer version.
  await page.evaluate(() =>
    navigator.serviceWorker.register("/customer/service-worker.js?newer", { scope: "/customer/" }).then(() => {}),
  );
  for (const tab of [idle, typing]) await expect(tab.getByText("A new version is ready.")).toBeVisible();
  await page.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => isOld(page)).toBe(false);
  await expect.poll(() => isOld(idle)).toBe(false);
  expect(await isOld(typing)).toBe(true);
  await expect(typing.getByLabel("Number plate")).toHaveValue("KA01");
  await typing.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => isOld(typing)).toBe(false);
});

test("a tab of another person begins anew when somebody else signs in to the app", async ({
  page,
  context,
  service,
}) => {
  await signInBrowser(context, service.url, service, "customer", "Asha");
  await page.goto("/customer/account");
  await expect(page.getByLabel("Name")).toHaveValue("Asha");
  await signInBrowser(context, service.url, service, "customer", "Meera");
  // As the sign-in tells the other tabs.
  const other = await context.newPage();
  await other.goto("/home/");
  await other.evaluate(() => new BroadcastChannel("roadcall-session-customer").postMessage("signed_in"));
  await expect(page.getByLabel("Name")).toHaveValue("Meera");
});

test("signing out ends a call, on the other side too", async ({ browser, service }) => {
  const { customer, mechanic, job } = await acceptedJob(service);
  const open = async (app: "customer" | "mechanic", phone: string, path: string) => {
    const context = await browser.newContext({ baseURL: service.url, permissions: ["microphone", "geolocation"] });
    await enter(context, `${service.url}/`, service, phone, app);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const asha = await open("customer", customer.phone, `/customer/jobs/${job.id}`);
  const manju = await open("mechanic", mechanic.person.phone, "/mechanic/job");
  await manju.getByRole("button", { name: "Call Asha" }).click();
  await asha
    .getByRole("alertdialog", { name: /Incoming call/ })
    .getByRole("button", { name: "Answer" })
    .click();
  for (const page of [asha, manju]) await expect(page.getByRole("timer")).toBeVisible();
  // The page is not reloaded, because that would end the call anyway.
  await asha.evaluate(() => {
    history.pushState(null, "", "/customer/account");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await asha.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(asha.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(manju.getByText("The call is over.")).toBeVisible();
});

test("a job is followed as soon as a busy service lets it be, and not asked for before", async ({
  page,
  context,
  service,
}) => {
  const { customer, mechanic, job } = await acceptedJob(service);
  await enter(context, `${service.url}/`, service, customer.phone);
  const asked: number[] = [];
  await page.routeWebSocket(/\/api\/v1\/ws\?/, (socket) => {
    const real = socket.connectToServer();
    socket.onMessage((message) => {
      const { type, ref } = JSON.parse(String(message)) as { type: string; ref: string };
      if (type === "job.subscribe" && asked.push(Date.now()) <= 2) {
        socket.send(
          JSON.stringify({
            type: "error",
            ref,
            error: { code: "RATE_LIMITED", message: "Too many requests." },
            retry_after_s: 2,
          }),
        );
      } else real.send(message);
    });
  });
  await page.goto(`/customer/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "Manju accepted your job" })).toBeVisible();
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await mechanic.setOut(job.id);
  await expect(page.getByRole("heading", { name: "Manju is on the way" })).toBeVisible();
  expect((asked.at(-1) ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(1_900);
});

test(
  "both apps of a browser stay registered for pushes, and each can be turned off",
  { tag: "@push" },
  async ({ page, context, service }) => {
    const { phone } = await signInBrowser(context, service.url, service, "customer", "Asha");
    await context.grantPermissions(["notifications"], { origin: service.url });
    // No push service is reachable here. The test plays the browser, which has an address and keys for each app.
    const key = () => {
      const pair = createECDH("prime256v1");
      return { p256dh: pair.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") };
    };
    await page.addInitScript(
      (keys) => {
        const subscription = () => {
          const app = location.pathname.split("/")[1] as keyof typeof keys;
          const toJSON = () => ({ endpoint: `https://push.example.com/${app}/1`, keys: keys[app] });
          return {
            endpoint: toJSON().endpoint,
            options: {},
            toJSON,
            unsubscribe: () => Promise.resolve(localStorage.removeItem(`test-${app}`)),
          };
        };
        const name = () => `test-${location.pathname.split("/")[1] ?? ""}`;
        Object.assign(PushManager.prototype, {
          getSubscription: () => Promise.resolve(localStorage.getItem(name()) === null ? null : subscription()),
          subscribe: () => {
            localStorage.setItem(name(), "on");
            return Promise.resolve(subscription());
          },
        });
      },
      { customer: key(), mechanic: key() },
    );
    const registered = () =>
      page.waitForResponse(
        (response) => response.request().method() === "POST" && response.url().endsWith("/notifications/push-tokens"),
      );
    const devices = page.locator("section.push");

    await page.goto("/customer/account");
    await installed(page);
    let answer = registered();
    await devices.getByRole("button", { name: "Turn on" }).click();
    expect((await answer).status()).toBe(201);
    await enter(context, `${service.url}/`, service, phone, "mechanic");
    await page.goto("/mechanic/you/account");
    await installed(page);
    answer = registered();
    await devices.getByRole("button", { name: "Turn on" }).click();
    expect((await answer).status()).toBe(201);
    // The service still knows the first one: 200 and not 201.
    for (const path of ["/customer/account", "/mechanic/you/account"]) {
      answer = registered();
      await page.goto(path);
      expect((await answer).status()).toBe(200);
    }
    const { id } = (await (await answer).json()) as { id: string };
    await page.route("**/notifications/push-tokens/*", (route) => route.fulfill(busy(7)));
    await devices.getByRole("button", { name: "Turn off" }).click();
    await expect(devices.getByRole("alert")).toContainText("7 seconds");
    await page.unroute("**/notifications/push-tokens/*");
    const ended = page.waitForResponse((response) => response.request().method() === "DELETE");
    await devices.getByRole("button", { name: "Turn off" }).click();
    expect((await ended).url()).toMatch(new RegExp(`/push-tokens/${id}$`));
    expect((await ended).status()).toBe(204);
    await expect(devices.getByRole("button", { name: "Turn on" })).toBeVisible();
  },
);
