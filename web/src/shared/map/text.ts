// Text on maps is drawn with the page's own font; MapLibre draws each character only once, so the font has to be loaded
// first.
import { getLocale } from "$locale";

/** The first name only tells the weight: MapLibre looks for "Semibold" or the like in it, and no font has that name. */
export const REGULAR = ["Noto Sans Variable", "Noto Sans Devanagari Variable", "Noto Sans Kannada Variable"];
export const BOLD = ["Semibold", ...REGULAR];

/** The fonts of a language, with letters that make a browser load them. */
const NEEDED = {
  en: [["Noto Sans Variable", "Aa"]],
  hi: [
    ["Noto Sans Variable", "Aa"],
    ["Noto Sans Devanagari Variable", "हि"],
  ],
  kn: [
    ["Noto Sans Variable", "Aa"],
    ["Noto Sans Kannada Variable", "ಕಿ"],
  ],
};

/** Waits for the fonts of the page's language; a map without its font is better than none. */
export async function fontsLoaded(): Promise<void> {
  const fonts = NEEDED[getLocale()].flatMap(([name, letters]) =>
    [400, 600].map((weight) => document.fonts.load(`${weight} 24px "${name}"`, letters)),
  );
  await Promise.allSettled(fonts);
}
