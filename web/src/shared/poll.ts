import { onVisible } from "$shared/visible";

/**
 * Calls `look` at once and every `everyMs` while the page is visible, never twice at the same time. A function says
 * after each look how long to wait, or null to look again only when the person returns to the page. Returns a function
 * that ends it: `onMount(() => poll(load, 10_000))`.
 */
export function poll(look: () => Promise<void>, everyMs: number | (() => number | null)): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  let isLooking = false;
  const turn = async () => {
    clearTimeout(timer);
    if (isEnded || isLooking) return;
    isLooking = true;
    try {
      if (document.visibilityState === "visible") await look();
    } finally {
      isLooking = false;
      const pauseMs = typeof everyMs === "number" ? everyMs : everyMs();
      if (!isEnded && pauseMs !== null) timer = setTimeout(() => void turn(), pauseMs);
    }
  };
  const end = onVisible(() => void turn());
  void turn();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    end();
  };
}
