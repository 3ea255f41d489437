// The route that a mechanic has ahead of them: the part that is left, and how it is drawn.
import type { Position } from "geojson";
import type { components } from "../api/schema";
import { line as lineOf, show, type Place } from "./features";
import { byZoom } from "./layers";
import { geojson, type GlMap } from "./map";
import type { Scheme } from "./palette";

/** At a greater distance from the line, the mechanic has left it; the service uses the same limit. */
export const OFF_M = 75;
/** Two places on a line within this difference count as equally near; the mechanic has yet to reach the later one. */
const ABOUT_M = 25;

/** Returns a place's distance from a line, and the line's part ahead of it; null for fewer than two points. */
export function ahead(line: readonly Position[], at: Place): { offM: number; rest: Position[] } | null {
  const found = line.slice(1).map((to, index) => onSegment(line[index] as Position, to, at));
  const leastM = Math.min(...found.map(({ offM }) => offM));
  let index = found.findIndex(({ offM }) => offM <= leastM + ABOUT_M);
  // Continues as long as the line comes nearer.
  while (index >= 0 && (found[index + 1]?.offM ?? Infinity) <= (found[index]?.offM ?? 0)) index += 1;
  const nearest = found[index];
  return nearest ? { offM: nearest.offM, rest: [nearest.place, ...line.slice(index + 1)] } : null;
}

function onSegment(from: Position, to: Position, at: Place): { offM: number; place: Position } {
  const flat = ([lng = 0, lat = 0]: Position): [number, number] => [
    (lng - at.lng) * 111_195 * Math.cos((at.lat * Math.PI) / 180),
    (lat - at.lat) * 111_195,
  ];
  const [[ax, ay], [bx, by]] = [flat(from), flat(to)];
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const share = squared > 0 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / squared)) : 0;
  const [[fromLng = 0, fromLat = 0], [toLng = 0, toLat = 0]] = [from, to];
  return {
    offM: Math.hypot(ax + dx * share, ay + dy * share),
    place: [fromLng + (toLng - fromLng) * share, fromLat + (toLat - fromLat) * share],
  };
}

/** The pauses between two requests: after the route was left, and while none is known. */
const AGAIN_MS = 10_000;
const NONE_AGAIN_MS = 60_000;

export type Ask = () => Promise<components["schemas"]["WayAhead"]>;

/** Requests the route once, and again when the mechanic has left its line. */
export class WayFollower {
  /** Longitude before latitude, starting at the mechanic; empty if no route is known. */
  #line: readonly Position[] = [];
  #asks = false;
  #nextMs = 0;
  #turn = 0;

  constructor(
    private readonly ask: Ask,
    private readonly shown: (line: readonly Position[]) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Takes the mechanic's current position; null once they are not on the way. */
  moved(at: { lat: number; lng: number } | null): void {
    if (at === null) {
      this.#turn += 1;
      this.#nextMs = 0;
      this.#show([]);
      return;
    }
    const found = ahead(this.#line, at);
    const isOn = found !== null && found.offM <= OFF_M;
    if (isOn) this.#show(found.rest);
    else if (!this.#asks && this.now() >= this.#nextMs) void this.#again(at);
  }

  async #again(at: { lat: number; lng: number }): Promise<void> {
    const turn = this.#turn;
    this.#asks = true;
    this.#nextMs = this.now() + AGAIN_MS;
    try {
      const { geometry } = await this.ask();
      if (turn !== this.#turn) return;
      if (geometry === null) this.#nextMs = this.now() + NONE_AGAIN_MS;
      this.#show(geometry === null ? [] : (ahead(geometry.coordinates, at)?.rest ?? []));
    } catch {
      // The map does without; the next position asks again.
    } finally {
      this.#asks = false;
    }
  }

  #show(line: readonly Position[]): void {
    if (line.length === 0 && this.#line.length === 0) return;
    this.#line = line;
    this.shown(line);
  }
}

export const wayColours = {
  light: { line: "#1a56c4", edge: "#ffffff" },
  dark: { line: "#7db2ff", edge: "#0d1015" },
} as const;

/** Call it before the markers' layers are added, which must lie on top of it. */
export function addWay(map: GlMap, scheme: Scheme): void {
  geojson(map, "way-ahead");
  const layout = { "line-join": "round", "line-cap": "round" } as const;
  const { line, edge } = wayColours[scheme];
  map.addLayer({
    id: "way-ahead-edge",
    type: "line",
    source: "way-ahead",
    layout,
    paint: { "line-color": edge, "line-width": byZoom(10, 5, 16, 10) },
  });
  map.addLayer({
    id: "way-ahead",
    type: "line",
    source: "way-ahead",
    layout,
    paint: { "line-color": line, "line-width": byZoom(10, 2.5, 16, 6) },
  });
}

export const showWay = (map: GlMap, line: readonly Position[]): void => show(map, "way-ahead", lineOf(line));

export const places = (line: readonly Position[]): Place[] => line.map(([lng = 0, lat = 0]) => ({ lng, lat }));
