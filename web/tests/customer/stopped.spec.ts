// The service accepts no new jobs: customers read why before they fill in anything.
import { expectAccessible } from "../support/axe";
import { newAdmin } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";

const WORDS = "The roads are flooded. We take jobs again tomorrow.";

// A separate service: no other test could ask for help on it.
test.use({ settings: { ROADCALL__SUPPORT__PHONE: "+918012345678" } });

test("the message stands in place of the form until new jobs are taken again", async ({ browser, service }) => {
  const admin = await newAdmin(service);
  const endsAt = new Date(Date.now() + 3 * 3_600_000).toISOString();
  await admin.put("/admin/job-stop", { message: WORDS, ends_at: endsAt });
  const open = async () => {
    const opened = await onPhone(browser, service, { timezoneId: "Asia/Kolkata" });
    await opened.page.goto("/customer/");
    return opened;
  };
  const stopped = await open();
  await expect(stopped.page.getByRole("heading", { name: "We can't take new requests right now" })).toBeVisible();
  await expect(stopped.page.getByText(WORDS)).toBeVisible();
  await expect(stopped.page.getByText("You can ask for help again from")).toBeVisible();
  await expect(stopped.page.getByRole("link", { name: "Call support" })).toHaveAttribute("href", "tel:+918012345678");
  await expect(stopped.page.getByText("Which vehicle?")).toHaveCount(0);
  await expectAccessible(stopped.page);
  await stopped.context.close();

  await admin.delete("/admin/job-stop");
  const taken = await open();
  await expect(taken.page.getByText("Which vehicle?")).toBeVisible();
});
