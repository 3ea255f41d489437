// Text that somebody has written and not sent yet, stored on this device over a reload or a killed tab. It belongs to
// one person: signing out deletes it, and nobody else sees it. Secrets are never stored here.
//   const written = new Written<{ text: string }>(`dispute-${id}`);
//   let text = $state(written.found?.text ?? "");
//   $effect(() => written.keep({ text }));      // and written.drop() once it is sent
import { session } from "./api/session.svelte";

interface Kept {
  userId: string | null;
  /** By name, the oldest first. */
  entries: Record<string, { at: number; value: unknown }>;
}

const KEY = `roadcall-written-${import.meta.env.BASE_URL}`;
const LASTS_MS = 24 * 3_600_000;
/** Beyond this number the oldest is deleted. */
const MOST = 20;

export class Written<T extends object> {
  /** The value stored before the page was opened. */
  readonly found: T | null;

  constructor(
    readonly name: string,
    lastsMs = LASTS_MS,
  ) {
    const entry = read().entries[name];
    this.found = entry !== undefined && Date.now() - entry.at < lastsMs ? (entry.value as T) : null;
  }

  /** Stores a value, unless it says nothing yet. */
  keep(value: T, saysSomething = true): void {
    change(this.name, saysSomething ? { at: Date.now(), value } : null);
  }

  drop(): void {
    change(this.name, null);
  }
}

export function forgetWritten(): void {
  localStorage.removeItem(KEY);
}

function change(name: string, entry: { at: number; value: unknown } | null): void {
  const { userId, entries } = read();
  const { [name]: before, ...others } = entries;
  if (entry === null && before === undefined) return;
  // Showing it again does not extend its lifetime.
  if (entry !== null && JSON.stringify(entry.value) === JSON.stringify(before?.value)) return;
  const next = Object.entries(entry === null ? others : { ...others, [name]: entry }).slice(-MOST);
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ userId: session.userId ?? userId, entries: Object.fromEntries(next) } satisfies Kept),
    );
  } catch {
    // If storage is full or forbidden, it lives as long as the page.
  }
}

function read(): Kept {
  const nothing: Kept = { userId: null, entries: {} };
  try {
    const kept = (JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null) ?? nothing;
    const isTheirs = kept.userId === null || session.userId === null || kept.userId === session.userId;
    return isTheirs ? kept : nothing;
  } catch {
    return nothing;
  }
}
