// The current counts of open jobs and mechanics, for the header, the map and the board.
import { answer, api, type Schemas } from "$shared/api/client";
import { poll } from "$shared/poll";

const EVERY_MS = 10_000;

class Live {
  now: Schemas["Live"] | null = $state.raw(null);
  /** The counts from a map's frames, each second; null while no map is shown. */
  onMap: Schemas["FleetTotals"] | null = $state.raw(null);
  readonly counts: Schemas["FleetTotals"] | null = $derived(this.onMap ?? this.now?.everywhere ?? null);
  /** Whether the last load failed. */
  isStale = $state(false);

  look = async (): Promise<void> => {
    try {
      this.now = await answer(api.GET("/admin/live"));
      this.isStale = false;
    } catch {
      this.isStale = true;
    }
  };

  keep(): () => void {
    return poll(this.look, EVERY_MS);
  }
}

export const live = new Live();
