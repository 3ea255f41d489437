import { existsSync } from "node:fs";
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
/** The same browser without windows: it draws the same pages in half the time, and shows no notifications. */
const shell = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";
const inShell = existsSync(shell) ? { executablePath: shell } : {};
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

/** For CI, which prints the slowest tests: Playwright's own JSON report goes to the file of this name. */
const times = process.env["ROADCALL_BROWSER_TIMES"];

export default defineConfig({
  testDir: "tests",
  globalSetup: "tests/support/before-all.ts",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 2,
  forbidOnly: process.env["CI"] !== undefined,
  // The time suits a machine that is four times as slow and busy with other work.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ...(times === undefined ? [] : [["json", { outputFile: times }] as ["json", object]])],
  projects: [
    // Pages on the examples of the interface's documents, without a service.
    {
      name: "states",
      testMatch: "states/**/*.spec.ts",
      fullyParallel: true,
      grepInvert: /@map/,
      use: { launchOptions: { ...withoutMaps, ...inShell } },
    },
    {
      name: "states-maps",
      testMatch: "states/**/*.spec.ts",
      fullyParallel: true,
      grep: /@map/,
      use: { launchOptions: { ...withMaps, ...inShell } },
    },
    // From the browser to Postgres.
    {
      name: "apps",
      testIgnore: ["unit/**", "states/**", "**/budget.spec.ts"],
      grepInvert: /@map|@push/,
      use: { launchOptions: { ...withoutMaps, ...inShell } },
    },
    {
      name: "pushes",
      testIgnore: ["unit/**", "states/**", "**/budget.spec.ts"],
      grep: /@push/,
      use: { launchOptions: withoutMaps },
    },
    // This project has the tests of maps.
    {
      name: "maps",
      testIgnore: ["unit/**", "states/**", "**/budget.spec.ts"],
      grep: /@map/,
      use: { launchOptions: { ...withMaps, ...inShell } },
    },
    // Measured alone.
    {
      name: "budgets",
      testMatch: "**/budget.spec.ts",
      workers: 1,
      dependencies: ["states", "states-maps", "apps", "pushes", "maps"],
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
    // It costs an eighth of the time of a test: `npm test -- --trace retain-on-failure` keeps the traces of what fails.
    trace: "off",
  },
});
