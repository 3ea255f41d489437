// Waits until another attempt over a bad network makes sense, and repeats requests until their outcome is known.
import { isUncertain, Refusal } from "$shared/api/errors";
import { session } from "$shared/api/session.svelte";
import { socket } from "$shared/api/socket.svelte";

const BETWEEN_TRIES_MS = 1_500;
const LONGEST_WAIT_MS = 30_000;
/** The maximum number of requests to a service that answers, but can't tell the outcome. */
const MOST_ANSWERS = 5;

/** `afterS`: a service that answers may say when to ask again. */
function connected(afterS: number | null, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const isOnline = navigator.onLine;
    let end: (() => void) | null = null;
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal?.removeEventListener("abort", done);
      end?.();
      resolve();
    };
    const timer = setTimeout(done, isOnline ? (afterS === null ? BETWEEN_TRIES_MS : afterS * 1000) : LONGEST_WAIT_MS);
    addEventListener("online", done, { once: true });
    signal?.addEventListener("abort", done, { once: true });
    if (!isOnline && socket.state !== "open") end = socket.onOpen(done);
  });
}

interface Ways<T> {
  /**
   * Needed where the service refuses a second attempt: returns the result of the first attempt if it took effect and
   * only its answer was lost, else null.
   */
  happened?: () => Promise<T | null>;
  /** Aborted when the person no longer wants it: no further attempt is made. The last may have taken effect. */
  signal?: AbortSignal;
}

/**
 * Sends a request until its outcome is known; `waiting` learns whether another attempt is pending. Throws without an
 * outcome if the person stops it or signs out, or if the service keeps failing.
 */
export async function carryThrough<T>(
  request: () => Promise<T>,
  waiting: (isWaiting: boolean) => unknown,
  { happened, signal }: Ways<T> = {},
): Promise<T> {
  let whose = session.userId;
  let answers = 0;
  try {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const already = isFirst || !happened ? null : await happened();
        return already ?? (await request());
      } catch (error) {
        if (error instanceof Refusal) answers += 1;
        if (!isUncertain(error) || answers === MOST_ANSWERS) throw error;
        if (!signal?.aborted) {
          waiting(true);
          await connected(error instanceof Refusal ? error.retryAfterS : null, signal);
        }
        // Before the first answer after a start without the service, no person is known.
        whose ??= session.userId;
        if (signal?.aborted || session.userId !== whose) throw error;
      }
    }
  } finally {
    waiting(false);
  }
}
