// Signs a page's browser in like the sign-in, but without its screens.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { newPhone, oneTimePassword, Person, signIn, type Place } from "./people";
import type { Service } from "./service";

export const PHONE = { width: 360, height: 740 };

export interface OnPhone {
  context: BrowserContext;
  page: Page;
  person: Person;
}

interface OnPhoneOptions extends BrowserContextOptions {
  app?: "customer" | "mechanic" | "partners";
  who?: { name: string; phone: string };
  at?: Place;
}

/** Opens a phone on which somebody is signed in to `app`. The phone knows its position if it is `at` a place. */
export async function onPhone(
  browser: Browser,
  service: Service,
  { app = "customer", who = { name: "Asha", phone: newPhone() }, at, ...options }: OnPhoneOptions = {},
): Promise<OnPhone> {
  const context = await browser.newContext({
    viewport: PHONE,
    locale: "en-IN",
    reducedMotion: "reduce",
    baseURL: service.url,
    ...(at && { geolocation: { latitude: at.lat, longitude: at.lng, accuracy: 8 }, permissions: ["geolocation"] }),
    ...options,
  });
  const person = await signInBrowser(context, service.url, service, app, who.name, who.phone);
  return { context, page: await context.newPage(), person };
}

/** Signs the same person in twice: in the browser by the cookie of `app`, and over HTTP for the tests' own requests. */
export async function signInBrowser(
  context: BrowserContext,
  base: string,
  service: Service,
  app: "customer" | "mechanic" | "partners",
  name: string,
  phone = newPhone(),
): Promise<Person> {
  const person = await signIn(service, name, phone);
  await enter(context, base, service, phone, app);
  return person;
}

/** Signs a person in without the screens: the next page they open belongs to one of the apps. */
export async function enter(
  context: BrowserContext,
  base: string,
  service: Service,
  phone: string,
  app: "customer" | "mechanic" | "partners" = "customer",
): Promise<void> {
  const otp = await oneTimePassword(service, phone);
  const { origin } = new URL(base);
  const answer = await context.request.post(`${origin}/api/v1/auth/verify-otp`, {
    data: { phone, otp },
    headers: { "X-Session": process.env["ROADCALL_SESSION"] ?? `cookie/${app}`, origin },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
}
