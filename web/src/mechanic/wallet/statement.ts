// Renders the wallet's lines as a table for spreadsheets. Pure.
import type { Schemas } from "$shared/api/client";

type Line = Schemas["WalletTransaction"];

/** The maximum number of lines in the file: it has the newest. */
export const MOST_LINES = 10_000;

/** Returns a cell's text, escaped because spreadsheets would run text that begins like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

export function csv(lines: readonly Line[], names: (line: Line) => { what: string; account: string }): string {
  const rows = lines.map((line) => {
    const { what, account } = names(line);
    return [
      cell(line.at),
      cell(what),
      cell(account),
      line.amount.toFixed(2),
      cell(line.job_id ?? ""),
      cell(line.note ?? ""),
    ].join(",");
  });
  return ["time,what,account,amount,job,note", ...rows].join("\r\n");
}
