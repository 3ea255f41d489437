// The installed app: it starts without a network and shows pushes.
import { expect, test } from "../support/test";

/** The worker, with the notes of a test. */
interface Watched {
  registration: ServiceWorkerRegistration;
  received: number;
  told: object[];
}

test.beforeEach(async ({ page }) => {
  await page.goto("/customer/");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // All its files are cached once it controls the page.
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
});

test("each app that was opened once starts without a network", async ({ page, context }) => {
  await page.goto("/mechanic/");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // It controls pages once it has deleted its old files.
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  for (const app of ["customer", "mechanic"]) {
    await page.goto(`/${app}/`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await context.setOffline(false);
});

test(
  "a push is shown with its text, and news about one thing takes the place of older news",
  { tag: "@push" },
  async ({ page, context, service }) => {
    const { origin } = new URL(service.url);
    await context.grantPermissions(["notifications"], { origin });
    const debug = await context.newCDPSession(page);
    const registered = new Promise<string>((found) => {
      debug.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        for (const { registrationId, scopeURL, isDeleted } of registrations)
          if (!isDeleted && scopeURL.startsWith(origin)) found(registrationId);
      });
    });
    await debug.send("ServiceWorker.enable");
    const registrationId = await registered;
    const [worker] = context.serviceWorkers();
    if (!worker) throw new Error("the app has no worker");
    await worker.evaluate(() => {
      const scope = self as unknown as Watched;
      Object.assign(scope, { received: 0, told: [] });
      self.addEventListener("push", () => void scope.received++);
      const show = scope.registration.showNotification.bind(scope.registration);
      scope.registration.showNotification = (title, options) => {
        const { body, tag, requireInteraction, silent, badge } = options ?? {};
        const { actions } = (options ?? {}) as { actions?: { action: string; title: string }[] };
        const picture = badge?.split("/").pop();
        scope.told.push({ title, body, tag, requireInteraction, silent, badge: picture, actions });
        return show(title, options);
      };
    });
    const received = () => worker.evaluate(() => (self as unknown as Watched).received);
    const told = () => worker.evaluate(() => (self as unknown as Watched).told);
    // The worker shows nothing while a page of the app is visible, as pages of tests always are.
    await page.goto("/");
    // One after the other: the browser may lose one of several simultaneous pushes.
    const push = async (id: string, data: unknown) => {
      const before = await received();
      await debug.send("ServiceWorker.deliverPushMessage", {
        origin,
        registrationId,
        data: typeof data === "string" ? data : JSON.stringify({ id, ...(data as object) }),
      });
      await expect.poll(received).toBe(before + 1);
    };
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration("/customer/");
        return ((await registration?.getNotifications()) ?? []).map(({ title, body }) => ({ title, body }));
      });
    await push("1", {
      type: "job_arrived",
      title: "Your mechanic is here",
      body: "Meet them at the vehicle.",
      data: { job_id: "j1" },
    });
    await expect.poll(shown).toEqual([{ title: "Your mechanic is here", body: "Meet them at the vehicle." }]);
    await push("2", {
      type: "job_arrived",
      title: "Your mechanic is here",
      body: "They are waiting.",
      data: { job_id: "j1" },
      actions: [{ action: "chat", title: "Write a message" }],
    });
    await push("3", "not json");
    await push("4", {
      type: "call_incoming",
      title: "Incoming call",
      body: "Open the app to answer.",
      data: { job_id: "j1", call_id: "c1" },
    });
    // The worker decides what is shown, and the browser for how long.
    const arrived = {
      title: "Your mechanic is here",
      tag: "job_arrived-j1",
      requireInteraction: false,
      silent: false,
      badge: "badge-96.png",
    };
    await expect.poll(told).toEqual([
      { ...arrived, body: "Meet them at the vehicle.", actions: [] },
      { ...arrived, body: "They are waiting.", actions: [{ action: "chat", title: "Write a message" }] },
      {
        badge: "badge-96.png",
        actions: [],
        title: "Incoming call",
        body: "Open the app to answer.",
        tag: "call_incoming-c1",
        requireInteraction: true,
        silent: false,
      },
    ]);

    // People who look at the app see it there. Safari nevertheless ends the subscription of an app that does not show
    // every push.
    await page.goto("/customer/");
    await page.bringToFront();
    await worker.evaluate(() => {
      Object.defineProperty(navigator, "userAgent", {
        value: "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1",
      });
      (self as unknown as Watched).told = [];
    });
    await push("5", {
      type: "job_started",
      title: "The work has begun",
      body: "Open the job.",
      data: { job_id: "j2" },
    });
    await expect.poll(told).toMatchObject([{ title: "The work has begun", silent: true }]);
    await expect.poll(async () => (await shown()).map(({ title }) => title)).not.toContain("The work has begun");
  },
);
