// Messages that the service has not received yet, stored on this device over a reload. Signing out of an app deletes
// its messages.
import { session } from "../api/session.svelte";
import type { Outgoing } from "./chat";

interface Kept {
  userId: string | null;
  /** By job. */
  messages: Record<string, Outgoing[]>;
}

const KEY = `roadcall-unsent-${import.meta.env.BASE_URL}`;
const LASTS_MS = 24 * 3_600_000;
/** Per job. */
const MOST = 50;

export function unsent(jobId: string): Outgoing[] {
  return (read().messages[jobId] ?? []).filter(({ at }) => Date.now() - Date.parse(at) < LASTS_MS);
}

/** Stores the unsent messages. A picture is stored once it is uploaded. */
export function keepUnsent(jobId: string, outgoing: readonly Outgoing[]): void {
  const { userId, messages } = read();
  const { [jobId]: before, ...others } = messages;
  const now = outgoing.filter(({ draft }) => draft.type !== "image" || draft.fileUrl !== undefined).slice(-MOST);
  if (now.length === 0 && before === undefined) return;
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({
        userId: session.userId ?? userId,
        messages: now.length === 0 ? others : { ...others, [jobId]: now },
      }),
    );
  } catch {
    // If storage is full or forbidden, they are sent only while the page is open.
  }
}

export function forgetUnsent(): void {
  localStorage.removeItem(KEY);
}

function read(): Kept {
  const nothing = { userId: null, messages: {} };
  try {
    const kept = (JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null) ?? nothing;
    const isTheirs = kept.userId === null || session.userId === null || kept.userId === session.userId;
    return isTheirs ? kept : nothing;
  } catch {
    return nothing;
  }
}
