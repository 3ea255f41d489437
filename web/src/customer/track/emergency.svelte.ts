// The emergency number for a page without a session: the one that works everywhere until the service has sent its
// own.
import type { components } from "$shared/api/schema";
import { EVERYWHERE } from "$shared/safety/number";

const LIMIT_MS = 20_000;

class Emergency {
  number = $state(EVERYWHERE);

  async load(): Promise<void> {
    try {
      const answer = await fetch("/api/v1/config", { signal: AbortSignal.timeout(LIMIT_MS) });
      const config = (await answer.json()) as Partial<components["schemas"]["AppConfig"]>;
      this.number = config.support?.emergency_phone ?? EVERYWHERE;
    } catch {
      // A number is already shown.
    }
  }
}

export const emergency = new Emergency();
