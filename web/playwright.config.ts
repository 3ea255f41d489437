import { defineConfig } from "@playwright/test";

/** Debian's Chromium; Playwright's own is never downloaded. */
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  testIgnore: "unit/**",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 2,
  // The machines of CI do other work as well; what needed another try is listed.
  retries: process.env["CI"] === undefined ? 0 : 2,
  forbidOnly: process.env["CI"] !== undefined,
  // On a machine four times as slow with other work on it.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        // Maps are drawn in software where there is no graphics card. Pages then cost less without the software card
        // between.
        "--disable-gpu-compositing",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
      ],
    },
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
});
