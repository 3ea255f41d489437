// Checks a page in the looks that people have of it.
import type { BrowserContextOptions, Page, TestInfo } from "@playwright/test";
import { expectAccessible } from "../support/axe";
import { expectToFit } from "../support/fits";
import { keepPicture } from "../support/pictures";
import { expect, test, type Answers, type App } from "../support/pages";

export interface Look {
  name: string;
  viewport: { width: number; height: number };
  colorScheme: "light" | "dark";
}
/** A person with a language, who has one or more screens. */
export interface Reader {
  locale: string;
  looks: Look[];
}

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 800 };

export const inLook = ({ viewport, colorScheme }: Look, locale: string): BrowserContextOptions => ({
  viewport,
  colorScheme,
  locale,
});

interface Expected {
  /** The test has made something go wrong. */
  withFaults?: boolean;
  /** The test keeps an answer back. */
  isLoading?: boolean;
  fits?: boolean;
  isOnlyRecoloured?: boolean;
  fullPage?: boolean;
  /** What the tabs at the bottom cover can be scrolled away from under them: axe is shown the whole page. */
  screenAsHighAsPage?: boolean;
}

const BUSY = "[aria-busy=true], .bone, .loading";
const FAULTS = "[role=alert], .toast.bad";

/** Waits until the page is as it should be, and fails if it shows more errors than the test asked for. */
export async function settled(page: Page, { withFaults = false, isLoading = false }: Expected = {}): Promise<void> {
  await expect(page.locator("h1").first()).toBeAttached();
  if (isLoading) await expect(page.locator(BUSY).first()).toBeAttached();
  else await expect(page.locator(BUSY), "everything is loaded and drawn").toHaveCount(0);
  // A place for an error is on some pages before there is one.
  const faults = page.locator(FAULTS).filter({ visible: true, hasText: /\S/ });
  if (withFaults) await expect(faults.first()).toBeVisible();
  else expect(await faults.allInnerTexts(), "no error is shown").toEqual([]);
}

/** Fails if the page keeps somebody from using it. Leaves a picture of it if those are wanted. */
export async function see(page: Page, info: TestInfo, name: string, expected: Expected = {}): Promise<void> {
  await settled(page, expected);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
  await keepPicture(page, info, name, { fullPage: expected.fullPage ?? true });
  if (expected.fits) await expectToFit(page);
  const screen = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const isHigher = expected.screenAsHighAsPage === true && screen !== null && height > screen.height;
  if (isHigher) await page.setViewportSize({ width: screen.width, height });
  await expectAccessible(page, { isOnlyRecoloured: expected.isOnlyRecoloured });
  if (isHigher) await page.setViewportSize(screen);
}

export interface State {
  name: string;
  path: string;
  /** What the service says, where that is not the example. */
  answers?: (answers: Answers) => void;
  /** What the person does once they are on the page. */
  act?: (page: Page, answers: Answers) => Promise<void>;
  /** What must be there, whatever the language. */
  shows: string;
  hasMap?: true;
  withFaults?: true;
}

/** A test of each state, in each look of each reader. */
export function testStates(app: App, states: State[], readers: Reader[]): void {
  for (const state of states) {
    test(`${state.name} has no barriers in any look`, { tag: state.hasMap ? "@map" : [] }, async ({ open }, info) => {
      for (const { locale, looks } of readers) {
        const [first] = looks;
        if (!first) continue;
        const { page, answers, context } = await open(app, inLook(first, locale));
        state.answers?.(answers);
        await page.goto(`/${app}${state.path}`);
        await expect(page.locator("h1").first()).toBeAttached();
        await state.act?.(page, answers);
        for (const look of looks) {
          await page.setViewportSize(look.viewport);
          await page.emulateMedia({ colorScheme: look.colorScheme });
          await expect(page.locator(state.shows).first()).toBeVisible();
          await see(page, info, `${state.name}-${look.name}`, {
            withFaults: state.withFaults,
            fits: look.viewport.width < 500,
            fullPage: !state.hasMap,
            screenAsHighAsPage: app === "mechanic",
          });
        }
        await context.close();
      }
    });
  }
}
