// Sends the bytes of a file to the URL that the service announced.
import type { Schemas } from "../api/client";
import { NoAnswer, refusalOf } from "../api/errors";

/** An upload that has not moved for this long never will: another attempt uses another connection. */
export const STILL_MS = 30_000;
/** A slow network continues to send bytes that the phone has handed over, without reporting progress. */
export const ANSWER_MS = 120_000;

/** Sends the bytes with progress, which `fetch` does not report for a body. */
export function put(
  to: Pick<Schemas["PresignedUpload"], "method" | "url" | "headers">,
  blob: Blob,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUpIn = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(abort, ms);
    };
    signal.addEventListener("abort", abort);
    request.open(to.method, to.url);
    for (const [name, value] of Object.entries(to.headers)) {
      // The browser sets this header itself, and forbids pages to do so.
      if (name.toLowerCase() !== "content-length") request.setRequestHeader(name, value);
    }
    request.upload.onprogress = ({ loaded, total }) => {
      giveUpIn(loaded < total ? STILL_MS : ANSWER_MS);
      progress(total === 0 ? 0 : loaded / total);
    };
    request.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      if (request.status >= 200 && request.status < 300) return resolve();
      if (request.status === 0) return reject(new NoAnswer("The service can't be reached."));
      let body: unknown = null;
      try {
        body = JSON.parse(request.responseText);
      } catch {
        // An external store has its own error format.
      }
      const refusal = refusalOf(request.status, body, request.getResponseHeader("retry-after"));
      // The bytes arrived, but the answer was lost.
      if (refusal.code === "CONFLICT") resolve();
      else reject(refusal);
    };
    request.send(blob);
    giveUpIn(STILL_MS);
  });
}
