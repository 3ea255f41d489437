// A mechanic at work in a browser, with a phone that the test moves.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { newAdmin, newPhone, north, signIn, until, verify, type Person, type Place } from "../support/people";
import type { Service } from "../support/service";
import { expectAccessible } from "../support/axe";
import type { Schemas } from "../support/examples";
import { onPhone, type OnPhone } from "../support/signin";
import { expect, test as base } from "../support/test";

export { expect };

/**
 * Phones that send every second and may be moved quickly keep tests of many positions short; offers wait for slow
 * tests.
 */
const QUICK = {
  ROADCALL__DISPATCH__FAST_INTERVAL_S: "1",
  ROADCALL__DISPATCH__UNWATCHED_INTERVAL_S: "1",
  ROADCALL__DISPATCH__SLOW_INTERVAL_S: "1",
  ROADCALL__DISPATCH__OFFER_TTL_S: "120",
};

/** A mechanic who is silent for a few seconds goes offline, or loses the job. */
export const SILENCE_COUNTS = {
  ...QUICK,
  ROADCALL__DISPATCH__FRESH_POSITION_S: "10",
  ROADCALL__WATCH__DARK_AFTER_S: "10",
  ROADCALL__WATCH__DEBOUNCE_S: "0",
  ROADCALL__WATCH__TELL_AFTER_S: "0",
  ROADCALL__WATCH__REASSIGN_AFTER_S: "1",
};

/** Earnings are available at once, because tests have no time for disputes. */
export const WITHDRAWS_AT_ONCE = {
  ...QUICK,
  ROADCALL__MONEY__DISPUTE_WINDOW_S: "0",
  ROADCALL__WALLET__CLEARING_HOURS: "0",
  ROADCALL__WALLET__NEW_ACCOUNT_WAIT_HOURS: "0",
};

export const test = base.extend<{ onDuty: OnDuty }, { admin: Person }>({
  settings: QUICK,
  admin: [async ({ service }, use) => use(await newAdmin(service)), { scope: "worker" }],
  /** A mechanic who is online with nobody else around, and a customer who uses the API. */
  onDuty: async ({ browser, service, admin }, use) => {
    const here = somewhere();
    const mechanic = await verified(browser, service, admin, here);
    const customer = await signIn(service, "Asha");
    await goOnline(mechanic.page);
    await use({ ...mechanic, here, customer });
  },
});

export const HERE: Place = { lat: 12.9716, lng: 77.5946 };

export interface AtWork extends OnPhone {
  profileId: string;
}

interface OnDuty extends AtWork {
  here: Place;
  customer: Person;
}

/** Returns a place with nobody else around, so that offers go to this mechanic alone. */
let places = 0;
export function somewhere(): Place {
  places += 1;
  return north(HERE, places * 60_000);
}

export const open = (browser: Browser, service: Service, at: Place, options: BrowserContextOptions = {}) =>
  onPhone(browser, service, { app: "mechanic", who: { name: "Ravi Kumar", phone: newPhone() }, at, ...options });

/** Opens the app of a verified mechanic. */
export async function verified(
  browser: Browser,
  service: Service,
  admin: Person,
  at: Place,
  options: BrowserContextOptions = {},
): Promise<AtWork> {
  const opened = await open(browser, service, at, options);
  const profileId = await verify(opened.person, admin);
  await opened.page.goto("/mechanic/");
  return { ...opened, profileId };
}

/** Waits until the customer's job is as it should be, and returns it. */
export const jobIs = (customer: Person, id: string, what: string, holds: (job: Schemas["Job"]) => boolean) =>
  until(what, async () => {
    const job = await customer.get<Schemas["Job"]>(`/jobs/${id}`);
    return holds(job) ? job : null;
  });

export const reaches = (customer: Person, id: string, wanted: Schemas["JobStatus"]) =>
  jobIs(customer, id, `the job to be ${wanted}`, ({ status }) => status === wanted);

export async function goOnline(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Go online" }).click();
  await expect(page.getByText("You are online", { exact: true })).toBeVisible();
  await expect(page.getByText(/Location sent/)).toBeVisible();
}

/** Checks a screen as high as the page: people can scroll content away from under the tabs at the bottom. */
export async function expectWholePageAccessible(page: Page): Promise<void> {
  const screen = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (screen !== null && height > screen.height) await page.setViewportSize({ width: screen.width, height });
  await expectAccessible(page);
  if (screen !== null) await page.setViewportSize(screen);
}

export async function moveTo(context: BrowserContext, at: Place): Promise<void> {
  await context.setGeolocation({ latitude: at.lat, longitude: at.lng, accuracy: 8 });
}

/** Returns how many positions the app has recorded so far. */
export function recorded(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("roadcall-mechanic");
        opening.onerror = () => reject(opening.error ?? new Error("no database"));
        opening.onsuccess = () => {
          const numbers = opening.result.transaction("numbers").objectStore("numbers").getAll();
          numbers.onsuccess = () => {
            opening.result.close();
            resolve(Math.max(1, ...(numbers.result as number[])) - 1);
          };
        };
      }),
  );
}

/**
 * The next request to `url` reaches the service, but its answer is lost: the network is gone. The test has to reconnect
 * it.
 */
export const loseAnswer = (page: Page, url: string) =>
  page.route(
    url,
    async (route) => {
      await page.context().setOffline(true);
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
export const nothingTwice = (page: Page) =>
  expect(page.getByText("nothing is done twice", { exact: false }).last()).toBeVisible();
