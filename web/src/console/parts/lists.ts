// Lists of the interface: their pages, and all of a list as a file.
import { answer } from "$shared/api/client";

/** The page of a list that can also be asked for as CSV: `await pageOf(api.GET("/admin/jobs", …))`. */
export async function pageOf<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<Exclude<T, string>> {
  const body = await answer(request);
  if (typeof body === "string") throw new Error("The service answered with a file.");
  return body as Exclude<T, string>;
}

/** Saves what was asked for with `format: "csv"` and `parseAs: "text"`. */
export async function saveCsv(name: string, request: Promise<{ data?: unknown; error?: unknown; response: Response }>): Promise<void> {
  const text = String(await answer(request));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = `${name} ${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function groupBy<T, K>(rows: Iterable<T>, of: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(of(row));
    if (group) group.push(row);
    else groups.set(of(row), [row]);
  }
  return groups;
}
