// Short messages at the edge of the screen; `Toasts.svelte` shows them.

export interface Toast {
  id: number;
  kind: "info" | "good" | "bad";
  text: string;
}

/** The maximum shown at once: beyond it the oldest disappears. */
const MOST = 4;
const SHOWN_MS = 6_000;

let ids = 0;
export const toasts: Toast[] = $state([]);

export function toast(text: string, kind: Toast["kind"] = "info"): void {
  const id = (ids += 1);
  toasts.push({ id, kind, text });
  if (toasts.length > MOST) toasts.shift();
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  const place = toasts.findIndex((shown) => shown.id === id);
  if (place >= 0) toasts.splice(place, 1);
}
