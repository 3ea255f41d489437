// What somebody has written and not sent yet, kept on this device over a reload or a killed tab. It is one person's:
// signing out removes it, and nobody else sees it. Secrets are never kept here.
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
/** The oldest goes. */
const MOST = 20;

export class Written<T extends object> {
  /** What was there when the page came up. */
  readonly found: T | null;

  constructor(
    readonly name: string,
    lastsMs = LASTS_MS,
  ) {
    const entry = read().entries[name];
    this.found = entry !== undefined && Date.now() - entry.at < lastsMs ? (entry.value as T) : null;
  }

  /** What says nothing yet is not kept. */
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
  // Showing it again does not extend its time.
  if (entry !== null && JSON.stringify(entry.value) === JSON.stringify(before?.value)) return;
  const next = Object.entries(entry === null ? others : { ...others, [name]: entry }).slice(-MOST);
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ userId: session.userId ?? userId, entries: Object.fromEntries(next) } satisfies Kept),
    );
  } catch {
    // A full or forbidden storage: it lives as long as the page.
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
