import { defineConfig } from "@playwright/test";

/** Debian's Chromium; Playwright's own is never downloaded. */
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

const args = [
  "--no-sandbox",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
];
/** Pages then show what people see whose browser can't draw maps. */
const withoutMaps = { executablePath, args: [...args, "--disable-gpu", "--disable-3d-apis"] };
/** Drawn in software where there is no graphics card. Pages cost less without the software card between. */
const withMaps = {
  executablePath,
  args: [
    ...args,
    "--disable-gpu-compositing",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
  ],
};

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
      grepInvert: /@map/,
      use: { launchOptions: withoutMaps },
    },
    // Where a map is what the test is about, or part of the picture.
    { name: "maps", testIgnore: ["unit/**", "**/budget.spec.ts"], grep: /@map/, use: { launchOptions: withMaps } },
    // Measured alone. Other work on the machine only adds to what is measured, so one of three measurements within the
    // budget shows that it is kept.
    {
      name: "budgets",
      testMatch: "**/budget.spec.ts",
      workers: 1,
      retries: 2,
      dependencies: ["apps", "maps"],
      use: { launchOptions: withMaps },
    },
  ],
  use: {
    browserName: "chromium",
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    screenshot: "only-on-failure",
    // Without the film of the page, which costs more than most tests.
    trace: { mode: "retain-on-failure", screenshots: false },
  },
});
