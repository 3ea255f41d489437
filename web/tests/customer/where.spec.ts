// "Where are you?": the page behind a dispatcher's link, and how its place gets into the form of the job.
import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { newAdmin, type Person } from "../support/people";
import { expect, test } from "../support/test";
import type { Service } from "../support/service";
import { signInConsole } from "../console/live-support";

test.use({ settings: { ROADCALL__OPERATOR__NAME: "Highway Help" } });

let admin: Person;
test.beforeAll(async ({ service }) => {
  admin = await newAdmin(service, "admin");
});

interface Asked {
  id: string;
  url: string;
}

let numbers = 0;
const ask = () =>
  admin.post<Asked>("/admin/place-requests", { phone: `+91980022${String((numbers += 1)).padStart(4, "0")}` });

async function phone(browser: Browser, service: Service, path: string, grants: string[]): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 320, height: 640 },
    locale: "en-IN",
    baseURL: service.url,
    geolocation: { latitude: 12.97301, longitude: 77.61698, accuracy: 12 },
    permissions: grants,
  });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

test("one press sends the phone's place, and says how exact it is", async ({ browser, service }) => {
  const asked = await ask();
  const page = await phone(browser, service, new URL(asked.url).pathname, ["geolocation"]);
  await expect(page.getByText("Highway Help asks for your location", { exact: false })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByRole("button", { name: "Send my location" }).click();
  await expect(page.getByRole("heading", { name: "Your location was sent" })).toBeVisible();
  await expect(page.getByText("Accurate to 12 metres", { exact: false })).toBeVisible();
  const seen = await admin.get<{ status: string; place: { lat: number } }>(`/admin/place-requests/${asked.id}`);
  expect([seen.status, seen.place.lat]).toEqual(["placed", 12.97301]);
  await admin.post(`/admin/place-requests/${asked.id}/use`, {});
  await page.getByRole("button", { name: "Send my location again" }).click();
  await expect(page.getByRole("heading", { name: "This link has ended" })).toBeVisible();
});

test("a link that is none, or is over, says so", async ({ browser, service }) => {
  const page = await phone(browser, service, "/where/0000000000", []);
  await expect(page.getByRole("heading", { name: "This link is not valid" })).toBeVisible();
  await expectAccessible(page);
});

test("who refuses the position puts a pin", { tag: "@map" }, async ({ browser, service }) => {
  const asked = await ask();
  const page = await phone(browser, service, new URL(asked.url).pathname, []);
  await page.getByRole("button", { name: "Send my location" }).click();
  await expect(page.getByText("Your phone does not share its location", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send this place" })).toBeVisible();
});

test("the place arrives in the form of the job", async ({ page, browser, service }) => {
  await signInConsole(page, service, admin, "/jobs/new");
  await page.getByText("Ask them where they are").click();
  await page.getByLabel("Their phone").fill("98002 30001");
  await page.getByRole("button", { name: "Send them a link" }).click();
  await expect(page.getByText("Read the link out", { exact: false })).toBeVisible();
  const url = await page.getByText(/\/where\/[0-9a-z]{10}$/).innerText();
  await expectAccessible(page);
  const other = await phone(browser, service, new URL(url).pathname, ["geolocation"]);
  await other.getByRole("button", { name: "Send my location" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: /They are at .*12\.97301, 77\.61698.*, accurate to 12 m/ }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Use this place" }).click();
  // It waits in the form until the caller and their vehicle are known.
  await page.getByLabel("Phone number of the caller").fill("98002 30001");
  await page.getByRole("button", { name: "Find the customer" }).click();
  await page.getByRole("button", { name: "Add the customer" }).click();
  await page.getByLabel("Plate").fill("KA01AB1234");
  await page.getByLabel("Plate").press("Tab");
  await page.keyboard.type("Hero");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Splendor");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Coordinates")).toHaveValue("12.973010, 77.616980");
});
