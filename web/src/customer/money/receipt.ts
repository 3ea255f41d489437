// Receipts: fetched with the session, then given to the browser as a file.
import { api } from "$shared/api/client";
import { refusalOf } from "$shared/api/errors";

export async function receipt(paymentId: string, format: "html" | "pdf"): Promise<Blob> {
  const { data, error, response } = await api.GET("/payments/{id}/receipt", {
    params: { path: { id: paymentId }, query: { format } },
    parseAs: "blob",
  });
  if (!response.ok || !data) throw refusalOf(response.status, error ?? null, response.headers.get("retry-after"));
  return data as unknown as Blob;
}

/** Saves it under a name. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
