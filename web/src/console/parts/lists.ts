// Lists of the interface.
import { answer } from "$shared/api/client";

/** Returns the page of a list that also exists as CSV: `await pageOf(api.GET("/admin/jobs", …))`. */
export async function pageOf<T>(
  request: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<Exclude<T, string>> {
  const body = await answer(request);
  if (typeof body === "string") throw new Error("The service answered with a file.");
  return body as Exclude<T, string>;
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
