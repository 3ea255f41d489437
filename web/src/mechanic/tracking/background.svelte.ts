// The apps that send the mechanic's position while the screen is off, and whether one of them is sending now.
import { answer, api, type Schemas } from "$shared/api/client";
import { now } from "$shared/text/clock.svelte";
import { onVisible } from "$shared/visible";

/** They send every 15 s; the service notes the time of the last position to within 30 s. */
const SILENT_MS = 120_000;
const LOAD_EVERY_MS = 30_000;

class Background {
  list = $state.raw<Schemas["Tracker"][]>([]);
  position = $state.raw<Schemas["PositionOrigin"] | null>(null);
  error = $state.raw<unknown>(null);
  isLoaded = $state(false);

  /** An app that was heard within the last two minutes. */
  get heard(): Schemas["Tracker"] | null {
    return this.list.find((one) => this.isHeard(one)) ?? null;
  }

  /** Reports whether the app sends usable positions. */
  isHeard(one: Schemas["Tracker"]): boolean {
    return one.problem === null && one.last_seen_at !== null && now() - Date.parse(one.last_seen_at) < SILENT_MS;
  }

  async load(): Promise<void> {
    try {
      const { data, last_position } = await answer(api.GET("/mechanics/me/trackers"));
      Object.assign(this, { list: data, position: last_position, error: null, isLoaded: true });
    } catch (caught) {
      this.error = caught;
    }
  }

  async connect(name: string, app: Schemas["TrackerApp"]): Promise<Schemas["TrackerToken"]> {
    const made = await answer(api.POST("/mechanics/me/trackers", { body: { name, app } }));
    await this.load();
    return made;
  }

  async remove(id: string): Promise<void> {
    await answer(api.DELETE("/mechanics/me/trackers/{id}", { params: { path: { id } } }));
    await this.load();
  }

  /** For an `$effect`: keeps the list up to date while the page shows it. */
  start = (): (() => void) => {
    void this.load();
    const timer = setInterval(() => !document.hidden && void this.load(), LOAD_EVERY_MS);
    const end = onVisible(() => void this.load());
    return () => {
      clearInterval(timer);
      end();
    };
  };
}

export const background = new Background();
