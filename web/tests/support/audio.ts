// Determines whether the two sides of a call hear each other.
import type { BrowserContext, Page } from "@playwright/test";

/** Stores the pages' connections where `packets` finds them. Call it before the first page. */
export async function keepConnections(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const made: RTCPeerConnection[] = [];
    Object.assign(window, { made });
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        made.push(this);
      }
    };
  });
}

/** Returns the number of audio packets that have arrived on the newest connection. */
export function packets(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const connection = (window as unknown as { made: RTCPeerConnection[] }).made.at(-1);
    let received = 0;
    (await connection?.getStats())?.forEach((entry: { type: string; kind?: string; packetsReceived?: number }) => {
      if (entry.type === "inbound-rtp" && entry.kind === "audio") received += entry.packetsReceived ?? 0;
    });
    return received;
  });
}
