// A complete job with everybody in a browser: customer, mechanic, dispatcher, and a friend who follows by a link.
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { keepConnections, packets } from "./support/audio";
import { newAdmin, newPhone, newVehicle, north, signIn, type Person } from "./support/people";
import type { Service } from "./support/service";
import { expect, test } from "./support/test";

type Ratings = Record<"by_customer" | "by_mechanic", { score: number } | null>;

const PICKUP = { lat: 12.9352, lng: 77.6245 };
const PASSWORD = "seven wrenches in a blue box";

function device(browser: Browser, service: Service, options: BrowserContextOptions = {}) {
  const viewport = { width: 390, height: 844 };
  return browser.newContext({ viewport, locale: "en-IN", reducedMotion: "reduce", baseURL: service.url, ...options });
}

const at = ({ lat, lng }: { lat: number; lng: number }) => ({ latitude: lat, longitude: lng, accuracy: 8 });

/** Creates a mechanic with valid documents whose phone is not signed in yet. */
async function knownMechanic(service: Service, admin: Person): Promise<Person> {
  const person = await signIn(service, "Ravi Kumar");
  const { data: categories } = await person.get<{ data: { id: string }[] }>("/service-categories");
  const profile = await person.post<{ id: string }>("/mechanics/register", {
    vehicle_types: ["two_wheeler", "four_wheeler"],
    service_category_ids: categories.map(({ id }) => id),
    documents: [{ type: "aadhaar", file_url: "https://files.example.com/demo/aadhaar.pdf" }],
    service_radius_km: 20,
  });
  await admin.post(`/admin/mechanics/${profile.id}/verify`);
  return person;
}

/** Signs in with the code that development shows on the screen. */
async function signInByHand(page: Page, app: string, phone: string): Promise<void> {
  await page.goto(app);
  await page.getByLabel(/phone|number/i).fill(phone.slice(3));
  await page.getByLabel(/phone|number/i).press("Enter");
  const shown = await page.getByText(/code is \d{6}/).innerText();
  await page
    .getByLabel(/code/i)
    .first()
    .fill(/\d{6}/.exec(shown)?.[0] ?? "");
}

test(
  "request, offer, drive, arrival, code, items, payment, ratings; a dispatcher and a friend watch",
  { tag: "@map" },
  async ({ browser, service }) => {
    test.setTimeout(420_000);
    const admin = await newAdmin(service);
    const ravi = await knownMechanic(service, admin);

    // The customer signs in with their number.
    const customers = await device(browser, service, {
      geolocation: at(PICKUP),
      permissions: ["geolocation", "microphone"],
    });
    await keepConnections(customers);
    const customer = await customers.newPage();
    const phone = newPhone();
    const known = await signIn(service, "Asha Rao", phone);
    await newVehicle(known);
    await signInByHand(customer, "/customer/", phone);
    await expect(customer.getByRole("button", { name: /Flat tyre/ })).toBeVisible();

    // So does the mechanic, who goes online nearby: positions farther apart than anybody can drive are refused.
    const home = north(PICKUP, 400);
    const mechanics = await device(browser, service, {
      geolocation: at(home),
      permissions: ["geolocation", "microphone"],
    });
    await keepConnections(mechanics);
    const mechanic = await mechanics.newPage();
    await signInByHand(mechanic, "/mechanic/", ravi.phone);
    await mechanic.getByRole("button", { name: "Go online" }).click();
    await expect(mechanic.getByText(/Location sent/)).toBeVisible();

    // The dispatcher signs in with a password.
    const email = `${randomUUID()}@example.com`;
    await service.run(["admin", "create", "--email", email, "--role", "admin"], `${PASSWORD}\n`);
    const rooms = await device(browser, service, { viewport: { width: 1100, height: 700 } });
    const dispatcher = await rooms.newPage();
    await dispatcher.goto("/console/");
    await dispatcher.getByLabel("Email").fill(email);
    await dispatcher.getByLabel("Password").fill(PASSWORD);
    await dispatcher.keyboard.press("Enter");
    await expect(dispatcher.getByRole("button", { name: "1 free" })).toBeVisible();

    // The texts of closed dialogs are in the page too.
    const seen = (text: string | RegExp) =>
      dispatcher.getByRole("main").getByText(text).filter({ visible: true }).first();

    // Request and offer.
    await customer.getByRole("button", { name: /Flat tyre/ }).click();
    await customer.getByLabel(/Describe the place/).fill("Opposite the post office");
    await customer.getByRole("button", { name: "Help me here" }).click();
    await customer.getByRole("button", { name: "Send a mechanic" }).click();
    await expect(customer).toHaveURL(/\/jobs\/[\w-]+$/);
    const id = customer.url().split("/").at(-1) ?? "";
    await dispatcher.goto(`/console/jobs/${id}`);
    await expect(seen("Asha Rao")).toBeVisible();
    await mechanic.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    await expect(customer.getByRole("heading", { name: "Ravi accepted your job" })).toBeVisible();
    await expect(seen("Ravi Kumar")).toBeVisible();

    // Both proceed; a friend follows by a link.
    await mechanic.getByRole("button", { name: "Set out" }).click();
    await expect(customer.getByRole("heading", { name: "Ravi is on the way" })).toBeVisible();
    await mechanics.setGeolocation(at(north(PICKUP, 300)));
    await expect(customer.getByText("300 m away")).toBeVisible();
    await expect(customer.getByText(/Live · seen/)).toBeVisible();
    await customer.getByRole("button", { name: "Share" }).click();
    await customer.getByLabel("They can also message and call the mechanic").check();
    await customer.getByRole("button", { name: "Make a link" }).click();
    const link = await customer.getByRole("textbox", { name: "Link" }).inputValue();
    await customer.getByRole("button", { name: "Close" }).first().click();
    const friend = await (await device(browser, service)).newPage();
    await friend.goto(new URL(link).pathname);
    await expect(friend.getByRole("heading", { name: "Ravi is on the way" })).toBeVisible();

    // All of them write; customer and mechanic call, with the chat open.
    const write = async (page: Page, text: string) => {
      await page.getByRole("textbox", { name: "Write a message" }).fill(text);
      await page.getByRole("button", { name: "Send", exact: true }).click();
    };
    await customer.getByRole("button", { name: "Message", exact: true }).click();
    await write(customer, "Ring the bell twice");
    await mechanic.getByRole("button", { name: /Message.*Unread: 1/ }).click();
    await expect(mechanic.getByRole("log").getByText("Ring the bell twice")).toBeVisible();
    await write(mechanic, "Will do");
    await write(friend, "The gate is blue");
    for (const page of [customer, friend]) await expect(page.getByRole("log").getByText("Will do")).toBeVisible();
    for (const page of [customer, mechanic])
      await expect(page.getByRole("log").getByText("The gate is blue")).toBeVisible();
    await mechanic.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await mechanic.getByRole("button", { name: "Call Asha" }).click();
    await customer
      .getByRole("alertdialog", { name: /Incoming call/ })
      .getByRole("button", { name: "Answer" })
      .click();
    for (const page of [customer, mechanic]) {
      await expect(page.getByRole("timer")).toBeVisible();
      await expect.poll(() => packets(page)).toBeGreaterThan(0);
    }
    await customer.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await customer.getByRole("button", { name: "Hang up" }).click();
    await expect(mechanic.getByText("The call is over.")).toBeVisible();

    await mechanics.setGeolocation(at(north(PICKUP, 100)));
    await expect(customer.getByText("100 m away")).toBeVisible();
    await mechanic.getByRole("button", { name: "I have arrived" }).click();
    await expect(customer.getByRole("heading", { name: "Ravi has arrived" })).toBeVisible();
    await expect(friend.getByRole("heading", { name: "Ravi has arrived" })).toBeVisible();

    // The code is passed on orally.
    // The element contains it twice: as shown, and for screen readers.
    const start = (await customer.locator(".digits").innerText()).replace(/\D/g, "").slice(0, 4);
    expect(start).toMatch(/^\d{4}$/);
    await mechanic.getByLabel("Start code").fill(start);
    await mechanic.getByRole("button", { name: "Start the work" }).click();
    await mechanic.getByRole("button", { name: "Add an item" }).click();
    const item = mechanic.getByRole("dialog", { name: "Add an item" });
    await item.getByLabel("What is it?").fill("Inner tube");
    await item.getByLabel("Price of one").fill("180");
    await item.getByRole("button", { name: "Send to the customer" }).click();
    await customer.getByRole("button", { name: /Approve.*Inner tube/ }).click();
    await expect(mechanic.getByText("Approved", { exact: true })).toBeVisible();
    await mechanic.getByRole("button", { name: "Finish the work" }).click();
    await mechanic.getByRole("dialog").getByRole("button", { name: "The work is done" }).click();
    await expect(friend.getByRole("heading", { name: "This link has ended" })).toBeVisible();

    // Payment and ratings.
    await customer.getByRole("button", { name: /^Pay ₹/ }).click();
    await customer.getByRole("button", { name: "Pay online" }).click();
    await customer.getByRole("button", { name: "The payment works" }).click();
    await expect(customer.getByText("Paid. Thank you.")).toBeVisible();
    await expect(mechanic.getByRole("heading", { name: /paid$/ })).toBeVisible();
    await expect(seen(/paid/i)).toBeVisible();
    await customer.getByRole("link", { name: "Back to the job" }).click();
    await customer.locator(".stars label").nth(4).click();
    await customer.getByRole("button", { name: "Send the rating" }).click();
    await mechanic.locator(".stars label").nth(3).click();
    await mechanic.getByRole("button", { name: "Send rating" }).click();
    const scores = async () => {
      const { by_customer, by_mechanic } = await known.get<Ratings>(`/jobs/${id}/ratings`);
      return [by_customer?.score, by_mechanic?.score];
    };
    await expect.poll(scores).toEqual([5, 4]);
    const job = await known.get<{ status: string; final_price: number }>(`/jobs/${id}`);
    expect(job.status).toBe("paid");

    // The mechanic's share is in the wallet, and the books balance.
    const wallet = await ravi.get<{ lifetime_earned: number }>("/wallet");
    expect(wallet.lifetime_earned).toBeGreaterThan(0);
  },
);
