import type { Schemas } from "./examples";

/** Sends the bytes of an announced file. */
export async function sendFile(to: Schemas["PresignedUpload"], bytes: Buffer): Promise<void> {
  const headers = new Headers(to.headers);
  // It follows from the body.
  headers.delete("content-length");
  const { ok, status } = await fetch(to.url, { method: to.method, headers, body: new Uint8Array(bytes) });
  if (!ok) throw new Error(`the file was refused: ${status}`);
}

/** Returns a picture of one pixel, as a file to choose. */
export const pixel = (name: string): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
});
