// Uploads a file: announces it, sends its bytes, has it checked. Resumes after a network outage.
import { answer, api, type Schemas } from "../api/client";
import { NoAnswer, Refusal } from "../api/errors";
import type { Prepared } from "./prepare";
import { put } from "./put";

export type Purpose = Schemas["UploadPurpose"];

/** How often a request is attempted while there is a network; without one, nothing is attempted. */
const TRIES = 6;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export interface Progress {
  /** Between 0 and 1. */
  share: number;
  /** Whether there is no network. */
  isWaiting: boolean;
}

/**
 * Uploads a file and returns its `file_url` for other requests. Throws like a request, or the signal's reason if that
 * is aborted.
 */
export async function upload(
  file: Prepared,
  purpose: Purpose,
  progress: (now: Progress) => void,
  signal: AbortSignal,
): Promise<string> {
  let share = 0;
  let announced: Schemas["PresignedUpload"] | null = null;
  let isSent = false;
  for (let tries = 1; ;) {
    try {
      announced ??= await answer(
        api.POST("/uploads/presign", {
          body: { purpose, content_type: file.kind, size_bytes: file.blob.size },
          signal,
        }),
      );
      if (!isSent) {
        await put({ ...announced, url: here(announced.url) }, file.blob, signal, (sent) => {
          share = sent * 0.95;
          progress({ share, isWaiting: false });
        });
        isSent = true;
      }
      const { file_url } = await answer(
        api.POST("/uploads/{id}/complete", { params: { path: { id: announced.upload_id } }, signal }),
      );
      progress({ share: 1, isWaiting: false });
      return file_url;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refusal && error.code === "LINK_EXPIRED") {
        // The network was away for too long: starts over.
        announced = null;
      } else if (error instanceof Refusal && isSent && error.code === "CONFLICT") {
        // Nothing has arrived after all, or it is being checked right now.
        isSent = false;
      } else if (error instanceof Refusal && error.status < 500 && error.code !== "RATE_LIMITED") {
        throw error;
      }
      if (tries >= TRIES) throw error;
      if (!navigator.onLine) {
        progress({ share, isWaiting: true });
        await online(signal);
        continue;
      }
      const wait =
        error instanceof Refusal && error.retryAfterS !== null ? error.retryAfterS * 1000 : FIRST_WAIT_MS * 2 ** tries;
      if (wait > 60_000) throw error;
      progress({ share, isWaiting: error instanceof NoAnswer });
      await pause(
        Math.min(
          wait,
          Math.max(LONGEST_WAIT_MS, (error instanceof Refusal && error.retryAfterS ? error.retryAfterS : 0) * 1000),
        ),
        signal,
      );
      tries += 1;
    }
  }
}

/** Returns the URL of the service's own file on the page's origin, whatever name the service has for itself. */
export function here(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return /^\/uploads\/[0-9a-f-]{36}\/(content|file)$/.test(pathname) ? pathname + search : url;
}

function online(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    addEventListener("online", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    addEventListener("online", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason as Error)), { once: true });
  });
}
