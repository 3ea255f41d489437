// The living city as a dispatcher sees it, and one of its jobs on the phones of its customer and a mechanic.
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { goOnline, HERE, moveTo, verified } from "../mechanic/support";
import { newAdmin, newJob, newVehicle, north } from "../support/people";
import { PHONE, signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";

const FOLDER = resolve(import.meta.dirname, "../../../docs/pictures");
const MOST_BYTES = 120_000;
const QUALITY = 0.8;
const SETTLES_MS = 6_000;

test.use({ settings: { ROADCALL__DISPATCH__OFFER_TTL_S: "120" } });

const WITH_MECHANIC = ["accepted", "en_route", "arrived", "in_progress"];

/** Saves a picture of the page, once its map is drawn, as WebP, which this browser can write. */
async function keep(page: Page, name: string): Promise<void> {
  await expect(page.locator('.map[aria-busy="false"]').first()).toBeVisible({ timeout: 120_000 });
  // Names and markers appear after the ground.
  await page.waitForTimeout(SETTLES_MS);
  const png = (await page.screenshot()).toString("base64");
  const blank = await page.context().newPage();
  const webp = await blank.evaluate(
    async ({ png, quality }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", quality);
    },
    { png, quality: QUALITY },
  );
  await blank.close();
  const picture = Buffer.from(webp.replace(/^.*,/, ""), "base64");
  expect(picture.byteLength, name).toBeLessThan(MOST_BYTES);
  writeFileSync(`${FOLDER}/${name}.webp`, picture);
}

test("the pictures of the README", async ({ browser, service }) => {
  test.setTimeout(900_000);
  mkdirSync(FOLDER, { recursive: true });
  const admin = await newAdmin(service);
  const looks = { locale: "en-IN", baseURL: service.url, deviceScaleFactor: 1.5 };

  const ravi = await verified(browser, service, admin, north(HERE, 1600), looks);
  await goOnline(ravi.page);
  const customers = await browser.newContext({ ...looks, viewport: PHONE });
  const asha = await signInBrowser(customers, service.url, service, "customer", "Asha Rao");
  const car = { vehicle_type: "four_wheeler", make: "Maruti", model: "Swift", color: "Red" } as const;
  const address = { pickup_address: "Kasturba Road, opposite the museum" };
  const job = await newJob(asha, await newVehicle(asha, car), HERE, address);
  const accept = ravi.page.getByRole("button", { name: "Accept" });
  await expect(accept).toBeVisible();
  await keep(ravi.page, "mechanic");

  await accept.click();
  await ravi.person.post(`/jobs/${job.id}/en-route`);
  const customer = await customers.newPage();
  await customer.goto(`/customer/jobs/${job.id}`);
  await moveTo(ravi.context, { lat: HERE.lat + 0.009, lng: HERE.lng + 0.003 });
  await expect(customer.getByText(/\d+ min/).first()).toBeVisible();
  await keep(customer, "customer");
  await Promise.all([customers.close(), ravi.context.close()]);

  const desk = await browser.newContext({ ...looks, deviceScaleFactor: 1, viewport: { width: 1440, height: 810 } });
  const board = await desk.newPage();
  await board.goto("/home/");
  await board.getByRole("button", { name: "Play the demo city" }).click();
  await board.waitForURL("**/console/", { timeout: 120_000 });
  const withMechanic = async () => {
    const { jobs } = await admin.get<{ jobs: { status: string; count: number }[] }>("/admin/live");
    return jobs.reduce((sum, { status, count }) => (WITH_MECHANIC.includes(status) ? sum + count : sum), 0);
  };
  await expect.poll(withMechanic, { intervals: [3000], timeout: 400_000 }).toBeGreaterThanOrEqual(12);
  await keep(board, "console");
  await desk.close();
});
