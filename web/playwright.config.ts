import { defineConfig } from "@playwright/test";

/** Debian's Chromium; Playwright's own is never downloaded. */
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 2,
  forbidOnly: process.env["CI"] !== undefined,
  // On a machine four times as slow with other work on it.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  projects: [
    {
      name: "apps",
      testIgnore: ["unit/**", "**/budget.spec.ts"],
      // The machines of CI do other work as well; what needed another try is listed.
      retries: process.env["CI"] === undefined ? 0 : 2,
    },
    // Measured alone. Other work on the machine only adds to what is measured, so one of three measurements within the
    // budget shows that it is kept.
    { name: "budgets", testMatch: "**/budget.spec.ts", workers: 1, retries: 2, dependencies: ["apps"] },
  ],
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
    // Without the film of the page, which costs more than most tests.
    trace: { mode: "retain-on-failure", screenshots: false },
  },
});
