// Checks a page in the looks that people have of it.
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
  /** The test has made something go wrong. */
  withFaults?: boolean;
  /** The test keeps an answer back. */
  isLoading?: boolean;
  fits?: boolean;
  /** What the checks for barriers have seen of this page before: all of it, or all but its colours. */
  isSeen?: "in these colours" | "in other colours";
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
  /** What the service says, where that is not the example. */
  answers?: (answers: Answers) => void;
  /** What the person does once they are on the page. */
  act?: (page: Page, answers: Answers) => Promise<void>;
  /** What must be there, whatever the language. */
  shows: string;
  hasMap?: true;
  withFaults?: true;
}

const isPhone = ({ viewport }: Look) => viewport.width < 500;

/** What the checks for barriers have seen of the page in earlier looks, whatever its language. */
function seenIn(earlier: Look[], look: Look): Expected["isSeen"] {
  const alike = earlier.filter((other) => isPhone(other) === isPhone(look));
  if (alike.length === 0) return undefined;
  return alike.some(({ colorScheme }) => colorScheme === look.colorScheme) ? "in these colours" : "in other colours";
}

/** A test of each state, in each look. The page is opened once and changes its look as it does for people. */
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
