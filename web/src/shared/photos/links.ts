// Short-lived links to private files: `const url = await linkOf(message.file_url)`.
import { answer, api } from "../api/client";
import { here } from "./upload";

/** A link is replaced this long before it expires. */
const EARLY_MS = 15_000;
/** The maximum number of links kept. */
const MOST = 200;

const links = new Map<string, { url: Promise<string>; until: number }>();

/** Returns a link that opens the file for a few minutes. A file outside the service is its own link. */
export function linkOf(fileUrl: string): Promise<string> {
  const id = /\/uploads\/([0-9a-f-]{36})\/file$/.exec(fileUrl)?.[1];
  if (id === undefined) return Promise.resolve(fileUrl);
  const kept = links.get(id);
  if (kept && Date.now() < kept.until) return kept.url;
  const link = { until: Number.POSITIVE_INFINITY, url: Promise.resolve("") };
  link.url = answer(api.GET("/uploads/{id}/link", { params: { path: { id } } })).then(
    ({ url, expires_at }) => {
      link.until = Date.parse(expires_at) - EARLY_MS;
      return here(url);
    },
    (error: unknown) => {
      links.delete(id);
      throw error;
    },
  );
  links.set(id, link);
  const [oldest] = links.keys();
  if (links.size > MOST && oldest !== undefined) links.delete(oldest);
  return link.url;
}

/** Makes the next `linkOf` request a new link. */
export function forgetLink(fileUrl: string): void {
  const id = /\/uploads\/([0-9a-f-]{36})\/file$/.exec(fileUrl)?.[1];
  if (id !== undefined) links.delete(id);
}
