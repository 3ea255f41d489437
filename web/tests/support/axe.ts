// Checks the accessibility of a page: WCAG 2.2 AA, as far as a program can tell.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { expect, type Page } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const EVERYTHING = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Fails with the violations and their places. A page checked before in other colours needs only a colour check. */
export async function expectAccessible(page: Page, { isOnlyRecoloured = false } = {}): Promise<void> {
  // The page's Content-Security-Policy refuses scripts that are added to it; this one is evaluated in it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync(axe, "utf8"));
  // Colours are those at the end of an animation.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => null)),
    ),
  );
  const results = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: { run: (options: object) => Promise<unknown> } }).axe.run({
        runOnly,
        // Rules that a page complies with are only counted.
        resultTypes: ["violations"],
      }) as Promise<AxeResults>,
    isOnlyRecoloured ? COLOURS : EVERYTHING,
  );
  const found = results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found, page.url()).toEqual([]);
}
