// The living city for a dispatcher, and a job in the middle of it on the phones of its customer and of a mechanic.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { goOnline, verified } from "../mechanic/support";
import { newAdmin, newJob, newVehicle, north, signIn, until } from "../support/people";
import { signInBrowser } from "../support/signin";
import { expect, test } from "../support/test";

const FOLDER = resolve(import.meta.dirname, "../../../docs/pictures");
const PHONE = { width: 360, height: 740 };
/** In the middle of the demo city. */
const HERE = { lat: 12.9716, lng: 77.5946 };

test.use({ settings: { ROADCALL__DISPATCH__OFFER_TTL_S: "120" } });

async function keep(page: Page, name: string): Promise<void> {
  // The map draws what it has got, and people are read from it.
  await page.waitForLoadState("networkidle").catch(() => {});
  await page.screenshot({ path: `${FOLDER}/${name}.jpg`, type: "jpeg", quality: 72 });
}

test("the pictures of the README", async ({ browser, service }) => {
  test.setTimeout(600_000);
  mkdirSync(FOLDER, { recursive: true });
  const admin = await newAdmin(service);

  const desk = await browser.newContext({ viewport: { width: 1280, height: 720 }, baseURL: service.url });
  const board = await desk.newPage();
  await board.goto("/home/");
  await board.getByRole("button", { name: "Play the demo city" }).click();
  await board.waitForURL("**/console/", { timeout: 90_000 });
  // Enough is going on.
  await until("ten jobs of the city", async () => {
    const { data } = await admin.get<{ data: unknown[] }>("/admin/jobs?status=en_route");
    return data.length >= 10 ? data : null;
  });
  await keep(board, "console");

  const phone = { viewport: PHONE, baseURL: service.url, permissions: ["geolocation"] };
  const customers = await browser.newContext(phone);
  const asha = await signInBrowser(customers, service.url, service, "customer", "Asha Rao");
  const job = await newJob(asha, await newVehicle(asha), HERE);
  const customer = await customers.newPage();
  await customer.goto(`/customer/jobs/${job.id}`);
  await until("somebody is on the way", async () => {
    const { status } = await asha.get<{ status: string }>(`/jobs/${job.id}`);
    return status === "en_route" ? status : null;
  });
  await expect(customer.getByText(/\d+ min/).first()).toBeVisible();
  await keep(customer, "customer");

  // Nobody of the city is nearer.
  const place = north(HERE, 900);
  const { page: mechanic } = await verified(browser, service, admin, place, { viewport: PHONE });
  await goOnline(mechanic);
  const kavya = await signIn(service, "Kavya Murthy");
  await newJob(kavya, await newVehicle(kavya), north(place, 40));
  await expect(mechanic.getByRole("button", { name: "Accept" })).toBeVisible();
  await keep(mechanic, "mechanic");
  await Promise.all([desk, customers, mechanic.context()].map((context) => context.close()));
});
