// The language of the texts. Texts change on the page at once: call `language.start()` before the app is mounted, and
// every `m.…()` in a component is redrawn when the person chooses another language.
import { isLocale, locales, overwriteGetLocale, type Locale } from "$locale";
import { answer, api } from "../api/client";
import { session } from "../api/session.svelte";

const KEY = "roadcall-language";

/** Each language's own name. */
export const names: Record<Locale, string> = { en: "English", hi: "हिन्दी", kn: "ಕನ್ನಡ" };

class Language {
  current: Locale = $state("en");
  /** How often the service has been told a language: it writes in the new one from then on. */
  reported = $state(0);

  start(): void {
    this.#show(chosen());
    overwriteGetLocale(() => this.current);
    // The person chose another language in another tab.
    addEventListener("storage", ({ key }) => {
      if (key === KEY) this.#show(chosen());
    });
  }

  /** Applies at once, also to the texts that the service writes to the person. */
  choose(locale: Locale): void {
    this.#show(locale);
    localStorage.setItem(KEY, locale);
    if (session.state === "signed_in") this.report();
  }

  /**
   * Tells the service after a sign-in which language the person reads: the one that they chose on this device, or else
   * the device's own. English alone is no choice: it is also the fallback for people whose languages are not available.
   */
  report(): void {
    if (localStorage.getItem(KEY) === null && this.current === "en") return;
    // If this fails, only notifications are in the wrong language; the next choice tries again.
    answer(api.PATCH("/users/me", { body: { language: this.current } })).then(
      () => (this.reported += 1),
      () => {},
    );
  }

  #show(locale: Locale): void {
    this.current = locale;
    document.documentElement.lang = locale;
  }
}

/** Returns the language chosen here, else the first available one of the device. */
function chosen(): Locale {
  const kept = localStorage.getItem(KEY);
  if (isLocale(kept)) return kept;
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag): tag is Locale => (locales as readonly string[]).includes(tag)) ?? "en";
}

export const language = new Language();
