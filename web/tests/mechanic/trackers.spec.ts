// A free app sends the mechanic's position instead of the page: set up by its link, heard, obeyed, removed.
import type { Schemas } from "../support/examples";
import { expectAccessible } from "../support/axe";
import { newJob, newVehicle, north, signIn, until, type Place } from "../support/people";
import { expect, goOnline, SILENCE_COUNTS, somewhere, test, verified } from "./support";

test.use({ settings: SILENCE_COUNTS });

/** OwnTracks, as its link sets it up. */
class OwnTracks {
  private constructor(
    private readonly url: string,
    private readonly authorization: string,
  ) {}

  static by(link: string): OwnTracks {
    const inline = new URL(link).searchParams.get("inline") ?? "";
    const { _type, mode, url, username, password } = JSON.parse(Buffer.from(inline, "base64").toString()) as Record<
      string,
      string
    >;
    expect([_type, String(mode)]).toEqual(["configuration", "3"]);
    return new OwnTracks(url ?? "", `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
  }

  async send({ lat, lng }: Place): Promise<number> {
    const position = { _type: "location", lat, lon: lng, acc: 8, tst: Math.floor(Date.now() / 1000) };
    const headers = { "content-type": "application/json", authorization: this.authorization };
    return (await fetch(this.url, { method: "POST", headers, body: JSON.stringify(position) })).status;
  }
}

test("a connected app keeps a mechanic online and on the job while the page is away, until it is removed", async ({
  browser,
  service,
  admin,
}) => {
  test.setTimeout(300_000);
  const here = somewhere();
  const { context, page } = await verified(browser, service, admin, here);
  const customer = await signIn(service, "Asha");
  await page.goto("/mechanic/you/trackers");
  await page.getByLabel("Name, so that you know it again").fill("Phone in the van");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const link = page.getByRole("link", { name: "Open OwnTracks" });
  await expect(link).toBeVisible();
  await expect(page.getByRole("img", { name: "Code that sets OwnTracks up" })).toBeVisible();
  await expectAccessible(page);
  const app = OwnTracks.by((await link.getAttribute("href")) ?? "");
  expect(await app.send(here)).toBe(200);
  await expect(page.getByText("Phone in the van sends your position. You can put this page away.")).toBeVisible();
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await expect(page.getByText("Your position now")).toBeVisible();

  await page.goto("/mechanic/");
  await goOnline(page);
  const job = await newJob(customer, await newVehicle(customer), north(here, 2_000));
  await page.getByRole("dialog", { name: "Flat tyre" }).getByRole("button", { name: "Accept" }).click();
  await page.getByRole("button", { name: "Set out" }).click();
  await expect(page.getByRole("button", { name: "I have arrived" })).toBeVisible();

  // Longer than a silent phone would keep the job.
  await context.setOffline(true);
  const setOut = Date.now();
  await until("the app to have driven there alone", async () => {
    const share = Math.min(1, (Date.now() - setOut) / 25_000);
    expect(await app.send(north(here, 2_000 * share))).toBe(200);
    const { location } = await customer.get<{ location: { stale: boolean } | null }>(`/jobs/${job.id}/location`);
    expect(location?.stale).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 900));
    return share === 1;
  });
  const { status, mechanic_left } = await customer.get<Schemas["Job"]>(`/jobs/${job.id}`);
  expect([status, mechanic_left]).toEqual(["en_route", null]);
  await context.setGeolocation({ latitude: north(here, 2_000).lat, longitude: here.lng, accuracy: 8 });
  await context.setOffline(false);
  await page.getByRole("button", { name: "I have arrived" }).click();
  await expect(page.getByRole("button", { name: "I have arrived" })).toBeHidden();

  await page.goto("/mechanic/you/trackers");
  await page.getByRole("button", { name: "Remove Phone in the van" }).click();
  await expect(page.getByText("Phone in the van")).toBeHidden();
  expect(await app.send(here)).toBe(401);
});
