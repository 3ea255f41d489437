// The map behind the page: only where there is room for it, and loaded after everything else.
import type { Component } from "svelte";

/** Screens with room next to the text, for people without reduced motion, on connections without a data saver. */
const WELCOME = "(min-width: 60rem) and (prefers-reduced-motion: no-preference)";

export function backdrop(): { readonly component: Component | null } {
  let component: Component | null = $state.raw(null);
  const saves = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  const load = async () => {
    // The page is complete without it.
    component = (await import("./Backdrop.svelte").catch(() => null))?.default ?? null;
  };
  const whenIdle = () =>
    typeof requestIdleCallback === "function" ? requestIdleCallback(() => void load()) : setTimeout(load, 500);
  if (!saves && matchMedia(WELCOME).matches) {
    if (document.readyState === "complete") whenIdle();
    else addEventListener("load", whenIdle, { once: true });
  }
  return {
    get component() {
      return component;
    },
  };
}
