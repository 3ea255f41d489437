// Waits until another try over a bad network makes sense, and carries requests through.
import { NoAnswer, isUncertain } from "$shared/api/errors";
import { socket } from "$shared/api/socket.svelte";

const BETWEEN_TRIES_MS = 1_500;
const LONGEST_WAIT_MS = 30_000;

export function connected(): Promise<void> {
  return new Promise((resolve) => {
    const isOnline = navigator.onLine;
    let end: (() => void) | null = null;
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      end?.();
      resolve();
    };
    const timer = setTimeout(done, isOnline ? BETWEEN_TRIES_MS : LONGEST_WAIT_MS);
    addEventListener("online", done, { once: true });
    if (!isOnline && socket.state !== "open") end = socket.onOpen(done);
  });
}

/**
 * Sends a step of a job until its outcome is known. A step that took effect, though its answer was lost, is refused the second time:
 * so `happened` looks first.
 */
export async function carryThrough<T>(request: () => Promise<T>, happened: () => Promise<T | null>, waiting: (isWaiting: boolean) => void): Promise<T> {
  try {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const already = isFirst ? null : await happened();
        if (already !== null) return already;
        return await request();
      } catch (error) {
        if (!isUncertain(error) && !(error instanceof NoAnswer)) throw error;
        waiting(true);
        await connected();
      }
    }
  } finally {
    waiting(false);
  }
}
