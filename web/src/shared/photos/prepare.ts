// Prepares a file for sending: pictures are turned upright and made small enough for a bad connection.

export type FileKind = "image/jpeg" | "application/pdf";

export interface Prepared {
  blob: Blob;
  kind: FileKind;
}

/** A file that a browser can't prepare. */
export class Unusable extends Error {
  override name = "Unusable";
  constructor(readonly reason: "unreadable" | "heic" | "wrong_kind" | "too_large") {
    super(reason);
  }
}

/** The maximum of a picture's longer side in pixels. */
export const LONGEST = 2048;
export const MAX_PDF_BYTES = 20 * 1024 * 1024;
/** More than a phone's camera produces; reading more could exhaust the phone's memory. */
const MAX_PICTURE_BYTES = 60 * 1024 * 1024;
const QUALITY = 0.85;

export async function prepare(file: File, documents: boolean): Promise<Prepared> {
  if (file.type === "application/pdf") {
    if (!documents) throw new Unusable("wrong_kind");
    if (file.size > MAX_PDF_BYTES) throw new Unusable("too_large");
    return { blob: file, kind: "application/pdf" };
  }
  const isHeic = /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
  if (!isHeic && !file.type.startsWith("image/")) throw new Unusable("wrong_kind");
  if (file.size > MAX_PICTURE_BYTES) throw new Unusable("too_large");
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    throw new Unusable(isHeic ? "heic" : "unreadable");
  }
  try {
    return { blob: await jpeg(picture), kind: "image/jpeg" };
  } finally {
    picture.close();
  }
}

async function jpeg(picture: ImageBitmap): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, fit(picture.width, picture.height));
  const context = canvas.getContext("2d");
  if (!context) throw new Unusable("unreadable");
  // JPEG has no transparency, which would turn black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, "image/jpeg", QUALITY));
  if (!blob) throw new Unusable("unreadable");
  return blob;
}

/** Returns the size of a picture within the limit, never larger than the original. */
export function fit(width: number, height: number, longest = LONGEST): { width: number; height: number } {
  const share = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}
