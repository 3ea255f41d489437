// Two names side by side, with the words that differ.
import type { Cell } from "../list/cells";

const HONORIFICS = new Set(["mr", "mrs", "ms", "dr", "shri", "sri", "smt", "kumari"]);

/** Returns a word in the form for comparing names: without case, accents and points. */
function plain(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** Returns the words of `name`, marked unless `other` has them or, for an initial, a word that begins with it. */
export function differences(name: string, other: string): { text: string; differs: boolean }[] {
  const others = other.split(/\s+/).map(plain).filter(Boolean);
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((text) => {
      const word = plain(text);
      const fits =
        word === "" ||
        HONORIFICS.has(word) ||
        others.some(
          (candidate) =>
            candidate === word ||
            (word.length === 1 && candidate.startsWith(word)) ||
            (candidate.length === 1 && word.startsWith(candidate)),
        );
      return { text, differs: !fits };
    });
}

export function compareNames(name: string | null, other: string | null): Cell {
  if (name === null) return null;
  return { kind: "diff", parts: other === null ? [{ text: name, differs: false }] : differences(name, other) };
}
