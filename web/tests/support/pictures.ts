// Pictures of pages, for people to look at: kept with the results of the run, if it is asked for them with
// `ROADCALL_PICTURES=1`.
import type { Page, TestInfo } from "@playwright/test";

export const areWanted = process.env["ROADCALL_PICTURES"] !== undefined;

export async function keepPicture(page: Page, info: TestInfo, name: string, { fullPage = false } = {}): Promise<void> {
  if (areWanted) await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage });
}
