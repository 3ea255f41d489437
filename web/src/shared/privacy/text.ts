// Splits a privacy notice for display: paragraphs, and lists of lines that begin with "- ".

export type Block = { kind: "paragraph"; lines: string[] } | { kind: "list"; items: string[] };

const ITEM = /^\s*- +/;

/** Returns the text's blocks in order. Empty lines separate blocks, and a list may directly follow a line. */
export function blocks(text: string): Block[] {
  const found: Block[] = [];
  let isOpen = false;
  for (const line of text.split(/\r?\n/)) {
    const last = isOpen ? found.at(-1) : undefined;
    isOpen = line.trim() !== "";
    if (!isOpen) continue;
    if (ITEM.test(line)) {
      const item = line.replace(ITEM, "").trim();
      if (last?.kind === "list") last.items.push(item);
      else found.push({ kind: "list", items: [item] });
    } else if (last?.kind === "paragraph") last.lines.push(line.trim());
    else found.push({ kind: "paragraph", lines: [line.trim()] });
  }
  return found;
}
