// The lines of the status in words.
import type { Schemas } from "$shared/api/client";
import type { Said } from "./servers";

type Status = Schemas["Status"];
type Line = Schemas["StatusLine"];
type State = Schemas["StatusState"];

export const words: Record<State, string> = { ok: "OK", look: "Look", act: "Act" };

const WORST_FIRST: State[] = ["act", "look", "ok"];

export function kindOf(state: State): Said["kind"] {
  return state === "act" ? "bad" : state === "look" ? "warn" : "good";
}

/** Sums up all lines in a sentence. */
export function headline({ state, lines }: Status): Said {
  const count = (of: State) => lines.filter((line) => line.state === of).length;
  const things = (of: State) => `${count(of)} ${count(of) === 1 ? "thing" : "things"}`;
  if (state === "act") return { kind: "bad", text: `${things("act")} to act on now.` };
  if (state === "look") return { kind: "warn", text: `${things("look")} to look at.` };
  return { kind: "good", text: "All is well." };
}

/** Sorts lines, the worst first; otherwise in the order of the service. */
export function worstFirst(lines: Line[]): Line[] {
  return lines.toSorted((one, other) => WORST_FIRST.indexOf(one.state) - WORST_FIRST.indexOf(other.state));
}

export function subject({ about }: Line): string {
  const text = about.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
