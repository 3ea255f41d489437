// Checks a page in all the looks that people may see.
import type { Page, TestInfo } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { keepPicture } from "../support/pictures";
import { expect, test, type Answers, type App } from "../support/pages";

export interface Look {
  name: string;
  viewport: { width: number; height: number };
  colorScheme: "light" | "dark";
  language: "en" | "hi" | "kn";
}

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 800 };

interface Expected {
  /** Whether the test has caused an error. */
  withFaults?: boolean;
  /** Whether the test holds an answer back. */
  isLoading?: boolean;
  fits?: boolean;
  /** How much of this page the accessibility checks have seen before: all of it, or all except its colours. */
  isSeen?: "in these colours" | "in other colours";
  fullPage?: boolean;
  /** Whether axe sees the whole page, because people can scroll content away from under the tabs at the bottom. */
  screenAsHighAsPage?: boolean;
}

const BUSY = "[aria-busy=true], .bone, .loading";
const FAULTS = "[role=alert], .toast.bad";

/** Waits until the page has settled, and fails if it shows more errors than the test caused. */
export async function settled(page: Page, { withFaults = false, isLoading = false }: Expected = {}): Promise<void> {
  await expect(page.locator("h1").first()).toBeAttached();
  if (isLoading) await expect(page.locator(BUSY).first()).toBeAttached();
  else await expect(page.locator(BUSY), "everything is loaded and drawn").toHaveCount(0);
  // Some pages have a place for an error before there is one.
  const faults = page.locator(FAULTS).filter({ visible: true, hasText: /\S/ });
  if (withFaults) await expect(faults.first()).toBeVisible();
  else expect(await faults.allInnerTexts(), "no error is shown").toEqual([]);
}

/** Fails if the page prevents somebody from using it. Saves a picture of it if pictures are requested. */
export async function see(page: Page, info: TestInfo, name: string, expected: Expected = {}): Promise<void> {
  await settled(page, expected);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
  await keepPicture(page, info, name, { fullPage: expected.fullPage ?? true });
  if (expected.fits) await expectToFit(page);
  if (expected.isSeen === "in these colours") return;
  const screen = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const isHigher = expected.screenAsHighAsPage === true && screen !== null && height > screen.height;
  if (isHigher) await page.setViewportSize({ width: screen.width, height });
  await expectAccessible(page, { isOnlyRecoloured: expected.isSeen === "in other colours" });
  if (isHigher) await page.setViewportSize(screen);
}

export interface State {
  name: string;
  path: string;
  /** Sets the answers that differ from the examples. */
  answers?: (answers: Answers) => void;
  /** Acts as the person does once they are on the page. */
  act?: (page: Page, answers: Answers) => Promise<void>;
  /** A selector that must match in every language. */
  shows: string;
  hasMap?: true;
  withFaults?: true;
}

const isPhone = ({ viewport }: Look) => viewport.width < 500;

/** Returns how much of the page the accessibility checks have seen in earlier looks, whatever its language. */
function seenIn(earlier: Look[], look: Look): Expected["isSeen"] {
  const alike = earlier.filter((other) => isPhone(other) === isPhone(look));
  if (alike.length === 0) return undefined;
  return alike.some(({ colorScheme }) => colorScheme === look.colorScheme) ? "in these colours" : "in other colours";
}

/** Defines a test of each state in all looks. The page is opened once and changes its look as it does for people. */
export function testStates(app: App, states: State[], looks: [Look, ...Look[]]): void {
  for (const state of states) {
    test(`${state.name} has no barriers in any look`, { tag: state.hasMap ? "@map" : [] }, async ({ open }, info) => {
      const { viewport, colorScheme } = looks[0];
      const { page, answers } = await open(app, { viewport, colorScheme, locale: "en-IN" });
      state.answers?.(answers);
      await page.goto(`/${app}${state.path}`);
      await expect(page.locator("h1").first()).toBeAttached();
      await state.act?.(page, answers);
      for (const [index, look] of looks.entries()) {
        await page.setViewportSize(look.viewport);
        await page.emulateMedia({ colorScheme: look.colorScheme });
        await page.evaluate(chooseElsewhere, look.language);
        await expect(page.locator("html")).toHaveAttribute("lang", look.language);
        await expect(page.locator(state.shows).first()).toBeVisible();
        await see(page, info, `${state.name}-${look.name}`, {
          withFaults: state.withFaults,
          fits: isPhone(look),
          isSeen: seenIn(looks.slice(0, index), look),
          fullPage: !state.hasMap,
          screenAsHighAsPage: app === "mechanic",
        });
      }
    });
  }
}

/** Runs in the page: the person chooses a language in another tab. */
function chooseElsewhere(language: string): void {
  const key = "roadcall-language";
  localStorage.setItem(key, language);
  dispatchEvent(new StorageEvent("storage", { key, newValue: language }));
}
