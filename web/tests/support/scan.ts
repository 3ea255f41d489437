// The camera of a phone held in front of a QR code.
import type { Locator } from "@playwright/test";
import { decodeQR } from "qr/decode.js";

/** Returns the text of the code on the screen; throws if it can't be read. */
export async function scan(code: Locator): Promise<string> {
  const picture = (await code.screenshot()).toString("base64");
  // A separate page, where no policy forbids reading the picture's pixels.
  const page = await code.page().context().newPage();
  const { width, height, data } = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
    const drawn = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    drawn?.drawImage(bitmap, 0, 0);
    const pixels = drawn?.getImageData(0, 0, bitmap.width, bitmap.height);
    return { width: bitmap.width, height: bitmap.height, data: [...(pixels?.data ?? [])] };
  }, picture);
  await page.close();
  return decodeQR({ width, height, data: Uint8Array.from(data) });
}
