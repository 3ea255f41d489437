// Pictures of pages, for people to look at: kept with the test results if `ROADCALL_PICTURES=1` is set.
import type { Page, TestInfo } from "@playwright/test";

export const areWanted = process.env["ROADCALL_PICTURES"] !== undefined;

export async function keepPicture(page: Page, info: TestInfo, name: string, { fullPage = false } = {}): Promise<void> {
  if (areWanted) await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage });
}
