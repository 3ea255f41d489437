import type { Browser, BrowserContext, Page } from "@playwright/test";
import { keepConnections, packets } from "../support/audio";
import { accessible, acceptedJob, enter, expect, test, watch } from "./support";

async function phone(
  browser: Browser,
  pages: string,
): Promise<{ context: BrowserContext; page: Page; said: string[] }> {
  const context = await browser.newContext({
    baseURL: pages,
    permissions: ["microphone"],
    viewport: { width: 360, height: 640 },
  });
  const said = watch(context);
  await keepConnections(context);
  return { context, page: await context.newPage(), said };
}

async function both(browser: Browser, pages: string, service: Parameters<typeof acceptedJob>[0]) {
  const { customer, mechanic, job } = await acceptedJob(service);
  const asha = await phone(browser, pages);
  const manju = await phone(browser, pages);
  await enter(asha.context, pages, service, customer.phone);
  await enter(manju.context, pages, service, mechanic.person.phone, "mechanic");
  await asha.page.goto(`/#call/${job.id}`);
  await manju.page.goto(`/?app=mechanic#call/${job.id}`);
  await expect(asha.page.getByText("Reachable", { exact: true })).toBeVisible();
  await expect(manju.page.getByText("Reachable", { exact: true })).toBeVisible();
  return { customer, mechanic, job, asha, manju };
}

test("both sides of a call hear each other, and see why it is over", async ({ browser, pages, service }) => {
  const { asha, manju } = await both(browser, pages, service);
  await asha.page.getByRole("button", { name: "Call them" }).click();
  await expect(asha.page.getByText("Ringing…")).toBeVisible();
  const incoming = manju.page.getByRole("alertdialog", { name: /Incoming call/ });
  await expect(incoming).toBeVisible();
  await accessible(manju.page);
  await incoming.getByRole("button", { name: "Answer" }).click();
  for (const { page } of [asha, manju]) await expect(page.getByRole("timer")).toBeVisible();
  for (const { page } of [asha, manju]) {
    await expect.poll(() => packets(page)).toBeGreaterThan(0);
    expect(
      await page.locator("audio").evaluate((audio: HTMLAudioElement) => [audio.srcObject !== null, audio.paused]),
    ).toEqual([true, false]);
  }
  await accessible(asha.page);
  await asha.page.getByRole("button", { name: "Mute" }).click();
  await expect(asha.page.getByRole("button", { name: "Mute" })).toHaveAttribute("aria-pressed", "true");
  await manju.page.getByRole("button", { name: "Hang up" }).click();
  await expect(asha.page.getByText("The call is over.")).toBeVisible();
  // The connection is gone, and so is the microphone.
  expect(
    await asha.page.evaluate(() =>
      (window as unknown as { made: RTCPeerConnection[] }).made.map(({ connectionState }) => connectionState),
    ),
  ).toEqual(["closed"]);

  await manju.page.getByRole("button", { name: "Call them" }).click();
  await asha.page.getByRole("button", { name: "Decline" }).click();
  await expect(manju.page.getByText("The call was declined.")).toBeVisible();
  expect([asha.said, manju.said]).toEqual([[], []]);
});

test("who calls while the other one calls answers that call", async ({ browser, pages, service }) => {
  const { asha, manju } = await both(browser, pages, service);
  // Both have pressed the button before either call is placed: their microphones take a while.
  for (const { page } of [asha, manju]) {
    await page.evaluate(() => {
      const listen = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      const ready = new Promise((go) => Object.assign(window, { go }));
      navigator.mediaDevices.getUserMedia = async (wanted) => (await ready, listen(wanted));
    });
    await page.getByRole("button", { name: "Call them" }).click();
    await expect(page.getByText("Calling…")).toBeVisible();
  }
  await Promise.all(
    [asha, manju].map(({ page }) => page.evaluate(() => (window as unknown as { go: () => void }).go())),
  );
  for (const { page } of [asha, manju]) await expect(page.getByRole("timer")).toBeVisible();
  for (const { page } of [asha, manju]) await expect.poll(() => packets(page)).toBeGreaterThan(0);
});

test("the other devices of a person stop ringing when one answers; a call goes on over a cut of the socket", async ({
  browser,
  pages,
  service,
}) => {
  const { customer, job, asha, manju } = await both(browser, pages, service);
  const tablet = await phone(browser, pages);
  await enter(tablet.context, pages, service, customer.phone);
  await tablet.page.goto(`/#call/${job.id}`);
  await expect(tablet.page.getByText("Reachable", { exact: true })).toBeVisible();
  await manju.page.getByRole("button", { name: "Call them" }).click();
  await expect(asha.page.getByRole("button", { name: "Answer" })).toBeVisible();
  await tablet.page.getByRole("button", { name: "Answer" }).click();
  await expect(asha.page.getByText("Answered on another device.")).toBeVisible();
  for (const { page } of [tablet, manju]) await expect.poll(() => packets(page)).toBeGreaterThan(0);

  await tablet.context.setOffline(true);
  await expect(tablet.page.getByText("Not reachable")).toBeVisible();
  await tablet.context.setOffline(false);
  await expect(tablet.page.getByText("Reachable", { exact: true })).toBeVisible();
  await expect(tablet.page.getByRole("timer")).toBeVisible();
  await tablet.page.close({ runBeforeUnload: false });
});

test("without a microphone there is a reason and no call", async ({ browser, pages, service }) => {
  const { customer, job } = await acceptedJob(service);
  const context = await browser.newContext({ baseURL: pages });
  await enter(context, pages, service, customer.phone);
  const page = await context.newPage();
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  await page.goto(`/#call/${job.id}`);
  await page.getByRole("button", { name: "Call them" }).click();
  await expect(page.getByRole("alert")).toContainText("This page may not use the microphone");
  const { data } = await customer.get<{ data: unknown[] }>(`/jobs/${job.id}/calls`);
  expect(data).toEqual([]);
});

test("the guest of a link and the mechanic hear each other", async ({ browser, pages, service }) => {
  const { customer, mechanic, job } = await acceptedJob(service);
  const { token } = await customer.post<{ token: string }>(`/jobs/${job.id}/shares`, { may_contact: true });
  const ravi = await phone(browser, pages);
  const manju = await phone(browser, pages);
  await enter(manju.context, pages, service, mechanic.person.phone, "mechanic");
  await ravi.page.goto(`/#guest-call/${token}`);
  await manju.page.goto(`/?app=mechanic#call/${job.id}`);
  for (const { page } of [ravi, manju]) await expect(page.getByText("Reachable", { exact: true })).toBeVisible();
  await ravi.page.getByRole("button", { name: "Call them" }).click();
  await manju.page.getByRole("button", { name: "Answer" }).click();
  for (const { page } of [ravi, manju]) await expect.poll(() => packets(page)).toBeGreaterThan(0);
  await manju.page.getByRole("button", { name: "Hang up" }).click();
  await expect(ravi.page.getByText("The call is over.")).toBeVisible();
  expect([ravi.said, manju.said]).toEqual([[], []]);
});
