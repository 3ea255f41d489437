// The palette's suggestions for typed text.

export interface Found {
  id: string;
  group: string;
  title: string;
  detail?: string;
  /** The keys for the same action. */
  keys?: string;
  path?: string;
  run?: () => void;
}

/** Returns the position at which all `words` begin words of `text`, the earlier the better; null if they don't. */
export function rank(text: string, words: string): number | null {
  const parts = text.toLowerCase().split(/[\s/,()-]+/);
  let sum = 0;
  for (const word of words.toLowerCase().split(/\s+/).filter(Boolean)) {
    const place = parts.findIndex((part) => part.startsWith(word));
    if (place < 0) return null;
    sum += place;
  }
  return sum;
}

/** Returns the best of `choices` for typed text. */
export function choose(choices: (Found & { words?: string })[], typed: string): Found[] {
  return choices
    .map((choice) => ({ choice, rank: rank(`${choice.title} ${choice.words ?? ""}`, typed) }))
    .filter((ranked): ranked is { choice: Found; rank: number } => ranked.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
}
