// Sends the bytes of a file to where the service announced them.
import type { Schemas } from "../api/client";
import { NoAnswer, refusalOf } from "../api/errors";

/** Bytes that have not moved for so long no longer will: another try has another connection. */
export const STILL_MS = 30_000;
/** A slow network goes on sending what the phone has handed over to it, without a word about that. */
export const ANSWER_MS = 120_000;

/** `fetch` does not say how much of a body has gone. */
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
      // The browser sets this one itself, and refuses pages that do.
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
        // A store of its own answers in its own words.
      }
      const refusal = refusalOf(request.status, body, request.getResponseHeader("retry-after"));
      // The bytes arrived, and the answer was lost.
      if (refusal.code === "CONFLICT") resolve();
      else reject(refusal);
    };
    request.send(blob);
    giveUpIn(STILL_MS);
  });
}
