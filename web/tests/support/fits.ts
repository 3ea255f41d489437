// Looks for parts of a page that break with large text, with a language that runs from right to left, or on a screen as
// wide as a wall.
import { expect, type Page } from "@playwright/test";

interface Reader {
  name: string;
  rightToLeft?: boolean;
  /** In percent of the app's usual size. */
  text?: number;
  screen?: { width: number; height: number };
}

const READERS: Reader[] = [
  { name: "from right to left", rightToLeft: true },
  { name: "with text of twice the size", text: 200 },
  { name: "from right to left with text of twice the size", rightToLeft: true, text: 200 },
];
const WALL: Reader = { name: "on a 4K screen", screen: { width: 3840, height: 2160 } };

/**
 * Fails if the page scrolls sideways or a control is out of reach for one of these readers. Leaves the page unchanged.
 */
export async function expectToFit(page: Page, { wall = false } = {}): Promise<void> {
  const screen = page.viewportSize();
  const found: string[] = [];
  for (const reader of wall ? [...READERS, WALL] : READERS) {
    if (reader.screen) await page.setViewportSize(reader.screen);
    found.push(...(await page.evaluate(beyondTheScreen, reader)).map((what) => `${reader.name}: ${what}`));
    if (reader.screen && screen) await page.setViewportSize(screen);
  }
  expect(found, page.url()).toEqual([]);
}

/** Runs in the page: returns the controls that are off the screen and can't be scrolled into view. */
async function beyondTheScreen({ rightToLeft = false, text = 100 }: Reader): Promise<string[]> {
  const root = document.documentElement;
  const before = { dir: root.dir, size: root.style.fontSize };
  root.dir = rightToLeft ? "rtl" : before.dir;
  root.style.fontSize = `${(Number.parseFloat(getComputedStyle(root).fontSize) * text) / 100}px`;
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));

  const found: string[] = [];
  const wide = root.scrollWidth - root.clientWidth;
  if (wide > 0) found.push(`the page is ${wide} px too wide`);
  const scrolls = (element: Element | null): boolean => {
    for (let at = element; at && at !== root; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
    }
    return false;
  };
  for (const control of document.querySelectorAll("button, a[href], input, select, textarea, summary")) {
    // Elements only for screen readers are a pixel wide.
    const { left, right, width, height } = control.getBoundingClientRect();
    if (
      width <= 1 ||
      height <= 1 ||
      !control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      scrolls(control.parentElement)
    )
      continue;
    const cut =
      control.scrollWidth > control.clientWidth + 1 &&
      control.clientWidth > 0 &&
      getComputedStyle(control).overflowX === "hidden" &&
      getComputedStyle(control).textOverflow !== "ellipsis";
    if (left >= -1 && right <= root.clientWidth + 1 && !cut) continue;
    const name =
      control.getAttribute("aria-label") ?? control.textContent?.trim().replace(/\s+/g, " ").slice(0, 40) ?? "";
    found.push(
      `${control.tagName.toLowerCase()}.${control.className} «${name}» is at ` +
        `${Math.round(left)}–${Math.round(right)} of ${root.clientWidth}${cut ? ", its text is cut" : ""}`,
    );
  }
  root.dir = before.dir;
  root.style.fontSize = before.size;
  return found;
}
