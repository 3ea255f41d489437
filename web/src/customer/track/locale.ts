// The language of a page without an account: the choice on this device, or else the device's own language.
import { isLocale, locales, overwriteGetLocale, type Locale } from "$locale";

export function chooseLocale(): void {
  const kept = localStorage.getItem("roadcall-language");
  const known = (tag: string): tag is Locale => (locales as readonly string[]).includes(tag);
  const own = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(known) ?? "en";
  const locale = isLocale(kept) ? kept : own;
  overwriteGetLocale(() => locale);
  document.documentElement.lang = locale;
}
