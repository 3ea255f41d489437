// Draws the icons of every app: one SVG with the app's colours, and PNGs of it for home screens, in Debian's Chromium
// (or CHROMIUM).
//   node scripts/icons.mjs
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";

/** The ground, the pin, and the wrench in it. */
const apps = {
  home: ["#12161c", "#f5a524", "#12161c"],
  customer: ["#f5a524", "#12161c", "#f5a524"],
  mechanic: ["#11703f", "#ffffff", "#11703f"],
  console: ["#1d4fd7", "#ffffff", "#1d4fd7"],
  partners: ["#5b21b6", "#ffffff", "#5b21b6"],
};

/** Everything is within the middle 80 %, which phones keep when they cut the icon to their own shape. */
const svg = ([ground, pin, wrench], radius) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
  `<rect width="64" height="64" rx="${radius}" fill="${ground}"/>` +
  `<path d="M32 9C21.5 9 13.5 16.9 13.5 26.9 13.5 38.3 24.5 48.6 32 55.5c7.5-6.9 18.5-17.2 18.5-28.6` +
  `C50.5 16.9 42.5 9 32 9Z" fill="${pin}"/>` +
  `<g transform="translate(32 27) rotate(45)">` +
  `<path d="M0-3V10.5" stroke="${wrench}" stroke-width="5.6" stroke-linecap="round"/>` +
  `<path d="M-3.1-12.3A7 7 0 1 0 3.1-12.3V-7.2A1 1 0 0 1 2.1-6.2H-2.1A1 1 0 0 1-3.1-7.2Z" fill="${wrench}"/>` +
  `</g></svg>\n`;

/** For the bar of a phone, which keeps nothing but the shape: the pin, with the wrench cut out of it. */
const badge =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="8 8.25 48 48"><defs><mask id="pin">` +
  svg(["#000000", "#ffffff", "#000000"], 0) +
  `</mask></defs><rect x="8" y="8" width="48" height="49" fill="#ffffff" mask="url(#pin)"/></svg>\n`;

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const [app, colours] of Object.entries(apps)) {
  const folder = join(import.meta.dirname, "../src", app, "public/icons");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "icon.svg"), svg(colours, 14));
  for (const size of [192, 512]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg(colours, 0)}`);
    await page.screenshot({ path: join(folder, `icon-${size}.png`) });
    await page.close();
  }
  if (app !== "customer" && app !== "mechanic") continue;
  const page = await browser.newPage({ viewport: { width: 96, height: 96 } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${badge}`);
  await page.screenshot({ path: join(folder, "badge-96.png"), omitBackground: true });
  await page.close();
}
await browser.close();
