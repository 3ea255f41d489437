// The drawing of one job's map: the pickup and the way to it, or a decision of the search.
import type { Schemas } from "$shared/api/client";
import { line, point, type Place } from "$shared/map/features";
import { geojson, type GlMap } from "$shared/map/map";
import { addWay } from "$shared/map/way";
import { pointAt, ring, standing } from "./explain";

type Scheme = "light" | "dark";

const colours = {
  light: {
    pickup: "#b3261e",
    trail: "#2558c9",
    mechanic: "#2558c9",
    stale: "#7d8896",
    ring: "#5b6675",
    edge: "#ffffff",
    accepted: "#0f7a44",
    offered: "#b36b00",
    declined: "#b3261e",
    passed: "#2558c9",
    unfit: "#7d8896",
  },
  dark: {
    pickup: "#ff7b6e",
    trail: "#6ea8ff",
    mechanic: "#6ea8ff",
    stale: "#8793a3",
    ring: "#aab4c1",
    edge: "#0d1015",
    accepted: "#4cd48a",
    offered: "#ffc247",
    declined: "#ff7b6e",
    passed: "#6ea8ff",
    unfit: "#8793a3",
  },
} as const;

/** Adds the layers. Clickable things are in the layer `points`. */
export function addLayers(made: GlMap, scheme: Scheme): void {
  const colour = colours[scheme];
  for (const id of ["rings", "lines", "points", "trail", "people"]) geojson(made, id);
  made.addLayer({
    id: "ring-fill",
    type: "fill",
    source: "rings",
    filter: ["==", ["get", "now"], 1],
    paint: { "fill-color": colour.ring, "fill-opacity": 0.08 },
  });
  made.addLayer({
    id: "rings",
    type: "line",
    source: "rings",
    paint: {
      "line-color": colour.ring,
      "line-width": ["case", ["==", ["get", "now"], 1], 2, 1],
      "line-dasharray": [3, 2],
      "line-opacity": ["case", ["==", ["get", "now"], 1], 1, 0.45],
    },
  });
  made.addLayer({
    id: "lines",
    type: "line",
    source: "lines",
    paint: { "line-color": ["get", "c"], "line-width": 2, "line-opacity": 0.8 },
  });
  made.addLayer({
    id: "trail",
    type: "line",
    source: "trail",
    layout: { "line-join": "round", "line-cap": "round" },
    paint: { "line-color": colour.trail, "line-width": 3.5, "line-opacity": 0.75 },
  });
  addWay(made, scheme);
  made.addLayer({
    id: "points",
    type: "circle",
    source: "points",
    paint: {
      "circle-radius": ["case", ["==", ["get", "chosen"], 1], 11, 7.5],
      "circle-color": ["case", ["==", ["get", "hollow"], 1], colour.edge, ["get", "c"]],
      "circle-stroke-color": ["get", "c"],
      "circle-stroke-width": 2.5,
    },
  });
  made.addLayer({
    id: "people",
    type: "circle",
    source: "people",
    paint: {
      "circle-radius": ["get", "r"],
      "circle-color": ["get", "c"],
      "circle-stroke-color": colour.edge,
      "circle-stroke-width": 2.5,
    },
  });
}

/** Returns the pickup, the destination, and the mechanic if the position is known. */
export function people(
  pickup: Place,
  mechanic: (Place & { stale: boolean }) | null,
  destination: Place | null,
  scheme: Scheme,
): GeoJSON.Feature[] {
  const colour = colours[scheme];
  const found = [point(pickup, { r: 8, c: colour.pickup })];
  if (destination) found.push(point(destination, { r: 8, c: colour.accepted }));
  if (mechanic) found.push(point(mechanic, { r: 7, c: mechanic.stale ? colour.stale : colour.mechanic }));
  return found;
}

/** Returns rings around the pickup; `now` is the decision's ring. */
export const rings = (pickup: Place, km: number[], now: number): GeoJSON.Feature[] =>
  [...new Set([...km.filter((one) => one < now), now])].map((one) => ({
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [ring(pickup, one * 1000)] },
    properties: { now: one === now ? 1 : 0 },
  }));

/** Returns the candidates, and lines to the pickup from those with an offer. */
export function candidates(
  pickup: Place,
  considered: Schemas["DispatchCandidate"][],
  directions: ReadonlyMap<string, number> | undefined,
  chosen: string | null,
  scheme: Scheme,
): { points: GeoJSON.Feature[]; lines: GeoJSON.Feature[] } {
  const colour = colours[scheme];
  const points: GeoJSON.Feature[] = [];
  const lines: GeoJSON.Feature[] = [];
  for (const candidate of considered) {
    const place = pointAt(pickup, candidate.distance_m, directions?.get(candidate.mechanic_profile_id) ?? 0);
    const now = standing(candidate);
    const c = now === "expired" || now === "revoked" ? colour.declined : colour[now];
    points.push(
      point(place, {
        id: candidate.mechanic_profile_id,
        c,
        hollow: now === "accepted" || now === "offered" || now === "passed" ? 0 : 1,
        chosen: chosen === candidate.mechanic_profile_id ? 1 : 0,
      }),
    );
    if (candidate.verdict !== "offered") continue;
    const ends = [
      [place.lng, place.lat],
      [pickup.lng, pickup.lat],
    ];
    lines.push(...line(ends, { c }));
  }
  return { points, lines };
}
