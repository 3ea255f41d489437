// A partner's manager keeps the keys and subscriptions of their programs, and reads the log of deliveries.
import { expectAccessible } from "../support/axe";
import { stop } from "../support/listening";
import { newCase, newPartner, receiver } from "../support/partners";
import { Person } from "../support/people";
import { enterAs, expect, HERE, test } from "./support";

test.use({ settings: { ROADCALL__PARTNERS__ALLOW_PRIVATE_ADDRESSES: "true" } });

test("a manager makes a key that is shown once, and rotates it", async ({ page, context, service, admin }) => {
  const club = await newPartner(admin, "Key Club");
  await enterAs(context, service, admin, club, "manager");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/partners/more");
  await page.getByRole("link", { name: "Keys" }).click();
  await page.getByRole("button", { name: "Make the key" }).click();
  await expect(page.getByText("Give it a name and at least one scope.")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("The night desk");
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  const first = await page.evaluate(() => navigator.clipboard.readText());
  const works = (key: string) => new Person(service.url, key, "", "", "a program").get("/partner/cases");
  await works(first);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole("button", { name: "Rotate The night desk" })).toBeVisible();
  await expect(page.getByText(first)).toHaveCount(0);
  await page.getByRole("button", { name: "Rotate The night desk" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await expect(page.getByText("Being replaced")).toBeVisible();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  const second = await page.evaluate(() => navigator.clipboard.readText());
  expect(second).not.toBe(first);
  await works(first);
  await works(second);
  await page.getByRole("button", { name: "Revoke The night desk" }).last().click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
});

test("a subscription is verified and tested, and its events are in the log and sent again", async ({
  page,
  context,
  service,
  admin,
}) => {
  const { url, types, server } = await receiver();
  const club = await newPartner(admin, "Event Club");
  await enterAs(context, service, admin, club, "manager");
  await page.goto("/partners/webhooks");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("Enter the address.")).toBeVisible();
  await page.getByLabel("Address").fill(url);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: /^Verify/ }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expectAccessible(page);
  expect(types).toContain("webhook.verify");
  await page.getByRole("button", { name: /^Send a test/ }).click();
  await expect.poll(() => types.filter((type) => type === "webhook.test").length).toBe(1);
  await expect(page.getByText("The receiver answered 200.")).toBeVisible();

  await newCase(club, HERE);
  await expect.poll(() => types).toContain("case.created");
  await page.getByRole("link", { name: "Deliveries" }).click();
  await page.getByLabel("Status").selectOption("delivered");
  await expect(page.getByText("case.created")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => types.filter((type) => type === "case.created").length).toBe(2);
  await page.getByRole("link", { name: "Case" }).first().click();
  await expect(page.getByText("The customer called twice.")).toBeVisible();
  await stop(server);
});
