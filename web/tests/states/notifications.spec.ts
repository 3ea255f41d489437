// Notifications are in the person's language, whenever they were written.
import { examples, expect, test } from "../support/pages";

test("notifications from before a change of language are read again in the new one", async ({ open }) => {
  const { page, answers } = await open("customer");
  const titles: Record<string, string> = { en: "Ravi has arrived", hi: "रवि पहुँच गए हैं" };
  let written = "en";
  answers.give("PATCH /users/me", (me, { body }) => {
    written = (body as { language: string }).language;
    return me;
  });
  answers.give("GET /notifications", (list) => ({
    ...list,
    data: [{ ...examples().of("Notification"), title: titles[written] ?? "" }],
  }));
  await page.goto("/customer/notifications");
  await expect(page.getByText("Ravi has arrived")).toBeVisible();

  // The list has loaded before the service knows of the change.
  const release = await answers.hold("PATCH /users/me");
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("hi");
  await page.locator('main a[href="/customer/notifications"]').click();
  await expect(page.getByText("Ravi has arrived")).toBeVisible();
  await release();
  await expect(page.getByText("रवि पहुँच गए हैं")).toBeVisible();
  await expect(page.getByText("Ravi has arrived")).toHaveCount(0);
});
