// Navigating with a maps app, a job that is lost meanwhile, and the photos by which a mechanic decides.
import { newJob, newVehicle, north, signIn } from "../support/people";
import { picture, upload } from "../console/desk-fill";
import { expect, goOnline, jobIs, moveTo, SILENCE_COUNTS, somewhere, test, verified } from "./support";

test.use({ settings: SILENCE_COUNTS });

test("photos help to decide, a maps app costs nobody the job, and who lost it by silence takes it back", async ({
  browser,
  service,
  admin,
}) => {
  test.setTimeout(300_000);
  const here = somewhere();
  const { context, page } = await verified(browser, service, admin, here);
  // A stand-in for the maps app.
  await context.route(/google\.com/, (route) => route.fulfill({ contentType: "text/html", body: "a map" }));
  const customer = await signIn(service, "Asha");
  const photo = await upload(customer, "job_photo", "image/png", picture(400, 300, [120, 40, 40]));
  await goOnline(page);
  const job = await newJob(customer, await newVehicle(customer), north(here, 2_000), { photo_urls: [photo] });

  const offer = page.getByRole("dialog", { name: "Flat tyre" });
  const small = offer.getByRole("button", { name: "Open Photo 1 of the damage" });
  await expect(small).toBeVisible();
  await expect.poll(() => small.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await offer.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByRole("button", { name: "Open Photo 1 of the damage" })).toBeVisible();
  await page.getByRole("button", { name: "Set out" }).click();
  await expect(page.getByRole("button", { name: "I have arrived" })).toBeVisible();

  const [map] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: /Navigate with/ }).click(),
  ]);
  await jobIs(customer, job.id, "the hand-over to be known", ({ navigating_since }) => navigating_since !== null);
  await map.close();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await jobIs(customer, job.id, "the return to be known", ({ navigating_since }) => navigating_since === null);

  // The phone goes dark without notice, until the job is taken away.
  await context.setOffline(true);
  await jobIs(
    customer,
    job.id,
    "the job to be free",
    ({ status, mechanic_left }) => status !== "en_route" && mechanic_left?.reason === "silent",
  );
  await moveTo(context, north(here, 2_000));
  await context.setOffline(false);
  await expect(page.getByText("You lost a job: Flat tyre")).toBeVisible();
  await page.getByRole("button", { name: "Take it back" }).click();
  await expect(page.getByRole("button", { name: "Set out" })).toBeVisible();
  await jobIs(
    customer,
    job.id,
    "the mechanic to have it again",
    ({ status, mechanic_left }) => status === "accepted" && mechanic_left === null,
  );
});
