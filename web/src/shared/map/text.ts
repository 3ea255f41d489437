// Text on maps is drawn with the page's own font; MapLibre draws each character once, so the font has to be there before.
import { getLocale } from "$locale";

/** The first name only says how bold: MapLibre looks for a word like "Semibold" there, and no font has that name. */
export const REGULAR = ["Noto Sans Variable"];
export const BOLD = ["Semibold", "Noto Sans Variable"];

const LETTERS = { en: "Aa", hi: "Aa हि", kn: "Aa ಕಿ" };

/** Waits for the fonts of the page's language; a map without its font is better than none. */
export async function fontsLoaded(): Promise<void> {
  const letters = LETTERS[getLocale()];
  await Promise.allSettled([400, 600].map((weight) => document.fonts.load(`${weight} 24px "Noto Sans Variable"`, letters)));
}
