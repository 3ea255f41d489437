// The colours of the console: first as the device says, then as somebody chose, and back.
import { scheme, type Choice } from "$shared/ui/scheme.svelte";

export { scheme };

export const schemes: Record<Choice, string> = { auto: "As the device", light: "Light", dark: "Dark" };

/** What the next press chooses: from the device's colours to the other ones, through both, and back to the device's. */
export function nextScheme(): Choice {
  if (scheme.choice !== "auto") return "auto";
  return scheme.current === "dark" ? "light" : "dark";
}
