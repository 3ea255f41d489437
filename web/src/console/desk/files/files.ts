// Files that people uploaded, opened through links that are valid for minutes.
import { answer, api } from "$shared/api/client";

/** Returns the id of one of the service's own uploads, or null for a file elsewhere. */
export function uploadId(fileUrl: string): string | null {
  return /\/uploads\/([0-9a-f-]{36})\/file$/.exec(fileUrl)?.[1] ?? null;
}

export interface OpenFile {
  /** The address from which this page reads it. */
  url: string;
  kind: "picture" | "pdf" | "elsewhere";
}

/** Requests a link on this page's own origin that is valid for minutes. */
async function link(id: string): Promise<string> {
  const { url } = await answer(api.GET("/uploads/{id}/link", { params: { path: { id } } }));
  const place = new URL(url, location.origin);
  return place.pathname + place.search;
}

/** Reads a file for this page. Throws if the service refuses. */
export async function openFile(fileUrl: string): Promise<OpenFile> {
  const id = uploadId(fileUrl);
  if (id === null) return { url: fileUrl, kind: "elsewhere" };
  const response = await fetch(await link(id));
  if (!response.ok) throw new Error("The file can't be read now. Try again.");
  const blob = await response.blob();
  return { url: URL.createObjectURL(blob), kind: blob.type === "application/pdf" ? "pdf" : "picture" };
}

export function closeFile(file: OpenFile): void {
  if (file.url.startsWith("blob:")) URL.revokeObjectURL(file.url);
}

/** Shows a file in a new tab, by a fresh link. */
export async function openTab(fileUrl: string): Promise<void> {
  const id = uploadId(fileUrl);
  window.open(id === null ? fileUrl : await link(id), "_blank", "noopener");
}
