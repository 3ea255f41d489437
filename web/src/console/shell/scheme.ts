// The colour scheme of the console: the device's, then each choice, and back.
import { scheme, type Choice } from "$shared/ui/scheme.svelte";

export { scheme };

export const schemes: Record<Choice, string> = { auto: "As the device", light: "Light", dark: "Dark" };

/** Chooses the next scheme: from the device's scheme to the opposite, through both, and back to the device's. */
export function nextScheme(): Choice {
  if (scheme.choice !== "auto") return "auto";
  return scheme.current === "dark" ? "light" : "dark";
}
