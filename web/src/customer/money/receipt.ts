// Receipts: fetched with the session, then passed to the browser as a file.
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
