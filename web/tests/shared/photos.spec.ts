import { accessible, begin, expect, picture, test, watch } from "./support";

test("photos are uploaded small, shown large, and go on after the network was away", async ({
  page,
  context,
  pages,
  service,
}) => {
  const said = watch(context);
  await begin(page, pages, service, "photos");
  const input = page.locator('input[type="file"]').last();
  await input.setInputFiles(await picture(page, 3000, 1500));
  await expect(page.getByText("1 uploaded")).toBeVisible();

  const shown = page.getByRole("button", { name: "Open Shown 1" });
  await shown.click();
  const large = page.getByRole("dialog").getByRole("img");
  await expect(large).toBeVisible();
  await expect
    .poll(() => large.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([2048, 1024]);
  await page.keyboard.press("Escape");

  await context.setOffline(true);
  await input.setInputFiles(await picture(page, 600, 400));
  await expect(page.getByText("Waiting for a connection")).toBeVisible();
  await expect(page.getByText("Busy")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("2 uploaded")).toBeVisible();

  // The answer to the upload is lost: the bytes are not sent twice, and nothing fails.
  let lost = 0;
  await context.route(/\/uploads\/.*\/content/, async (route) => {
    if (route.request().method() !== "PUT" || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await input.setInputFiles(await picture(page, 300, 200));
  await expect(page.getByText("3 uploaded")).toBeVisible();
  expect(lost).toBe(1);
  await expect(input).toHaveCount(0);
  await accessible(page);

  await page.getByRole("button", { name: "Remove photo 2" }).click();
  await expect(page.getByText("2 uploaded")).toBeVisible();
  expect(said).toEqual([]);
});

test("what can't be a photo is refused with what to do instead", async ({ page, pages, service }) => {
  await begin(page, pages, service, "photos");
  const input = page.locator('input[type="file"]').last();
  await input.setInputFiles({ name: "IMG_1.HEIC", mimeType: "image/heic", buffer: Buffer.from("ftypheic") });
  await expect(page.getByRole("alert")).toContainText("HEIC");
  await input.setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: Buffer.from("not a picture") });
  await expect(page.getByRole("alert")).toContainText("can't be read");
  await input.setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4") });
  await expect(page.getByRole("alert")).toContainText("Choose a picture");
});
