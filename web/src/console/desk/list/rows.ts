// Rows from any route that answers with a page of them.
import { answer, api } from "$shared/api/client";
import { save } from "$shared/ui/save";
import type { ListPath, RowOf } from "./list";

export interface PageOf<R> {
  data: R[];
  page: number;
  limit: number;
  total: number;
}

type Get = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
// The path is one of many here, and each has its own parameters.
const get = api.GET as unknown as Get;

export async function rows<P extends ListPath>(
  source: P,
  query: Record<string, string | number> = {},
  signal?: AbortSignal,
): Promise<PageOf<RowOf<P>>> {
  return (await answer(get(source, { params: { query }, signal }))) as PageOf<RowOf<P>>;
}

/** Makes the browser save all rows. */
export async function downloadCsv(source: ListPath, query: object, name: string): Promise<void> {
  const csv = (await answer(get(source, { params: { query: { ...query, format: "csv" } }, parseAs: "blob" }))) as Blob;
  save(csv, `${name}-${new Date().toISOString().slice(0, 10)}.csv`);
}
