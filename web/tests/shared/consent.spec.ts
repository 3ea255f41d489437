// The privacy notice: a super-admin publishes it, customers and mechanics agree to it, and withdraw.
import type { Schemas } from "../support/examples";
import { enterConsole } from "../console/live-support";
import { expectAccessible } from "../support/axe";
import { newAdmin, newVehicle, signIn, type Person } from "../support/people";
import { onPhone } from "../support/signin";
import { expect, test } from "../support/test";
import { verified } from "../mechanic/support";

// A separate service: a notice can't be unpublished.
test.use({ settings: { ROADCALL__OPERATOR__BRAND: "Example Towing", ROADCALL__SUPPORT__EMAIL: "help@example.com" } });

const HERE = { lat: 12.9716, lng: 77.5946 };
const TEXTS = {
  en: "We need this of you:\n\n- Your number, so that your mechanic reaches you.\n- Where you are.",
  kn: "ನಿಮ್ಮಿಂದ ಇದು ಬೇಕು:\n\n- ನಿಮ್ಮ ಸಂಖ್ಯೆ.",
};

const publish = (admin: Person) =>
  admin.post<Schemas["PrivacyNotice"]>("/super-admin/privacy-notices", { texts: TEXTS, ask_again: true });

test("a super-admin writes a notice, sees it as people will, and publishes it", async ({ page, context, service }) => {
  const admin = await newAdmin(service);
  const told = async () =>
    ((await (await fetch(`${service.url}/config`)).json()) as Schemas["AppConfig"]).privacy_notice_version;
  const before = (await told()) ?? 0;
  await enterConsole(context, service, admin);

  await page.goto("/console/settings/privacy");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Write it in English")).toBeVisible();
  await page.getByRole("button", { name: "Begin with an example" }).click();
  const english = page.getByLabel("English");
  await expect(english).toHaveValue(/Example Towing sends you a mechanic[^]*help@example\.com/);
  await page.getByLabel("ಕನ್ನಡ").fill(TEXTS.kn);
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: `Publish version ${before + 1}` });
  await expect(preview.getByRole("listitem").filter({ hasText: "Your mobile number" })).toBeVisible();
  await expect(preview).toContainText("It can't be changed or taken back");
  await expectAccessible(page);
  await preview.getByRole("button", { name: "Publish for everybody" }).click();
  await expect(preview).toBeHidden();
  expect(await told()).toBe(before + 1);
  await page.getByRole("button", { name: `Read version ${before + 1}` }).click();
  await expect(page.getByRole("dialog", { name: `Version ${before + 1}` })).toContainText("ನಿಮ್ಮ ಸಂಖ್ಯೆ");
  await expectAccessible(page);

  const customer = await signIn(service, "Asha");
  await page.goto(`/console/people/${customer.userId}`);
  await expect(page.getByText("They have agreed to no version.")).toBeVisible();
  await customer.put("/users/me/consent", { version: before + 1, language: "kn" });
  await page.reload();
  await expect(page.getByText(`They agree to version ${before + 1}, the newest.`)).toBeVisible();
  await expect(page.getByText("in Kannada")).toBeVisible();
  await expectAccessible(page);
});

test("a customer reads the notice before their first job, agrees, and withdraws in the account", async ({
  browser,
  service,
}) => {
  const admin = await newAdmin(service);
  const { version } = await publish(admin);
  const options = { at: HERE, timezoneId: "Asia/Kolkata" };
  const { page, person: customer } = await onPhone(browser, service, options);
  await newVehicle(customer);
  await page.goto("/customer/");
  await page.getByRole("button", { name: /Flat tyre/ }).click();
  await expect(page.getByText("This is your position.")).toBeVisible();
  await page.getByLabel(/Describe the place/).fill("Opposite the post office");
  await page.getByRole("button", { name: "Help me here" }).click();
  // The price comes before the question.
  await expect(page.getByText("₹299").first()).toBeVisible();
  const send = page.getByRole("button", { name: /Send a mechanic|Ask anyway/ });
  await send.click();
  const sheet = page.getByRole("dialog", { name: "How we use your data" });
  await expect(sheet.getByRole("listitem").first()).toHaveText("Your number, so that your mechanic reaches you.");
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Not now" }).click();
  await expect(page.getByText("read the privacy notice and agree to it")).toBeVisible();
  await send.click();
  await sheet.getByRole("button", { name: "ಕನ್ನಡ" }).click();
  await expect(sheet.getByText("ನಿಮ್ಮಿಂದ ಇದು ಬೇಕು:")).toBeVisible();
  await sheet.getByRole("button", { name: "I agree" }).click();
  await expect(page).toHaveURL(/\/jobs\/[\w-]+$/);
  const given = await customer.get<Schemas["Consent"]>("/users/me/consent");
  expect(given.agreed).toMatchObject({ version, language: "kn" });

  await page.goto("/customer/account");
  await page.locator("main").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByText(`You agreed to version ${version}`)).toContainText("ಕನ್ನಡ");
  await expect(page.getByText("ನಿಮ್ಮಿಂದ ಇದು ಬೇಕು:")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Withdraw consent" }).click();
  const question = page.getByRole("dialog", { name: "Withdraw your consent?" });
  await expect(question).toContainText("Jobs under way go on");
  await question.getByRole("button", { name: "Withdraw consent" }).click();
  await expect(page.getByText("You have not agreed to the privacy notice.")).toBeVisible();
  await expect(page.getByText(`Withdrew consent to version ${version}`)).toBeVisible();
  const own = await customer.get<Schemas["Consent"]>("/users/me/consent");
  expect(own.is_needed).toBe(true);
  expect(await admin.get<Schemas["Consent"]>(`/admin/users/${customer.userId}/consent`)).toEqual(own);
});

test("a mechanic reads the notice before going online, and is offline after withdrawing", async ({
  browser,
  service,
}) => {
  const admin = await newAdmin(service);
  const { version } = await publish(admin);
  const { page, person } = await verified(browser, service, admin, HERE);
  const isAvailable = async () => (await person.get<Schemas["MechanicProfile"]>("/mechanics/me")).is_available;
  await page.getByRole("button", { name: "Go online" }).click();
  const sheet = page.getByRole("dialog", { name: "How we use your data" });
  await expectAccessible(page);
  expect(await isAvailable()).toBe(false);
  await sheet.getByRole("button", { name: "I agree" }).click();
  await expect(page.getByText("You are online", { exact: true })).toBeVisible();
  expect((await person.get<Schemas["Consent"]>("/users/me/consent")).agreed?.version).toBe(version);

  await page.goto("/mechanic/you/privacy");
  await page.getByRole("button", { name: "Withdraw consent" }).click();
  const question = page.getByRole("dialog", { name: "Withdraw your consent?" });
  await expect(question).toContainText("You go offline");
  await question.getByRole("button", { name: "Withdraw consent" }).click();
  await expect(page.getByText("You have not agreed to the privacy notice.")).toBeVisible();
  expect(await isAvailable()).toBe(false);
  await page.goto("/mechanic/");
  await expect(page.getByRole("button", { name: "Go online" })).toBeVisible();
});
