// Puts the fleet into the sources of a map: only the differences, in portions that leave each frame time for everything
// else.
import type { GeoJSONFeatureDiff, GeoJSONSource, GeoJSONSourceDiff } from "maplibre-gl";

/** One object on the map. */
export interface Mark {
  lng: number;
  lat: number;
  /** The properties without the id. */
  properties: Record<string, string | number>;
}

/** The maximum number of differences that go to the map's worker at once. */
const PORTION = 300;

type Target = Pick<GeoJSONSource, "updateData">;

/** The contents of a source, and the part of them that the map does not have yet. The source has `promoteId: "id"`. */
export class Painter {
  #source: Target;
  #shown = new Map<string, { lng: number; lat: number; look: string }>();
  #wanted = new Map<string, Mark | null>();
  #isBusy = false;
  #frame: (run: () => void) => void;

  constructor(source: Target, frame: (run: () => void) => void = (run) => requestAnimationFrame(run)) {
    this.#source = source;
    this.#frame = frame;
  }

  /** Sets an object's newest state; null removes it. */
  put(id: string, mark: Mark | null): void {
    this.#wanted.set(id, mark);
    this.#next();
  }

  /** The number of objects that the map does not have yet. */
  get pending(): number {
    return this.#wanted.size;
  }

  #next(): void {
    if (this.#isBusy || this.#wanted.size === 0) return;
    this.#isBusy = true;
    this.#frame(() => {
      const diff = this.#portion();
      const done = () => {
        this.#isBusy = false;
        this.#next();
      };
      if (diff === null) done();
      else this.#source.updateData(diff).then(done, done);
    });
  }

  #portion(): GeoJSONSourceDiff | null {
    const remove: string[] = [];
    const add: GeoJSON.Feature[] = [];
    const update: GeoJSONFeatureDiff[] = [];
    for (const [id, mark] of this.#wanted) {
      if (remove.length + add.length + update.length >= PORTION) break;
      this.#wanted.delete(id);
      const shown = this.#shown.get(id);
      if (mark === null) {
        if (!shown) continue;
        this.#shown.delete(id);
        remove.push(id);
        continue;
      }
      const look = JSON.stringify(mark.properties);
      if (shown && shown.lng === mark.lng && shown.lat === mark.lat && shown.look === look) continue;
      this.#shown.set(id, { lng: mark.lng, lat: mark.lat, look });
      const geometry: GeoJSON.Point = { type: "Point", coordinates: [mark.lng, mark.lat] };
      if (!shown) {
        add.push({ type: "Feature", id, geometry, properties: { id, ...mark.properties } });
      } else {
        const changed: GeoJSONFeatureDiff = { id };
        if (shown.lng !== mark.lng || shown.lat !== mark.lat) changed.newGeometry = geometry;
        if (shown.look !== look) {
          changed.addOrUpdateProperties = Object.entries(mark.properties).map(([key, value]) => ({ key, value }));
        }
        update.push(changed);
      }
    }
    return remove.length + add.length + update.length === 0 ? null : { remove, add, update };
  }
}
