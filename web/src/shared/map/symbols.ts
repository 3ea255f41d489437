// People, jobs and places on a map, as GL layers. Each `add…` adds a source and its layers on top of the others, and
// returns functions that change its data: call it in a map's `ready`.
import type {
  ExpressionSpecification,
  GeoJSONSource,
  GeoJSONSourceDiff,
  LayerSpecification,
  Map as GlMap,
} from "maplibre-gl";
import type { Feature, FeatureCollection, Point } from "geojson";
import { scheme } from "$shared/ui/scheme.svelte";
import type { Schemas } from "../api/client";
import { addImages, tonesOf } from "./images";
import { palettes } from "./palette";
import { BOLD, REGULAR } from "./text";

interface Mark {
  id: string;
  lat: number;
  lng: number;
  /** A name next to the mark, shown when zoomed in. */
  label?: string;
  /** Whether it is the subject of the page. */
  isChosen?: boolean;
}

export interface MechanicMark extends Mark {
  state: "free" | "offered" | "busy" | "offline";
  /** Degrees clockwise from north. */
  heading?: number | null;
  /** Whether the position is too old to be trusted. */
  isStale?: boolean;
}

export interface JobMark extends Mark {
  status: Schemas["JobStatus"];
}

/** The counts of a square of the map, as in `GET /admin/fleet`. */
export type CellMark = Pick<Schemas["FleetCell"], "lat" | "lng" | "free" | "busy" | "waiting_jobs" | "active_jobs">;

export interface Marks<T> {
  /** Layers to query on clicks: `map.on("click", marks.layers, …)`; a feature's `properties.id` is the mark's. */
  layers: string[];
  /** Shows exactly these marks; only the differences are sent to the map. */
  show(marks: Iterable<T>): void;
  /** Adds or replaces `changed`, and removes the marks whose ids are in `gone`. */
  change(changed: Iterable<T>, gone?: Iterable<string>): void;
}

export type JobGroup = "waiting" | "coming" | "working" | "unpaid" | "ended";

const GROUPS: Record<Schemas["JobStatus"], JobGroup> = {
  pending: "waiting",
  dispatching: "waiting",
  no_mechanic_found: "waiting",
  accepted: "coming",
  en_route: "coming",
  arrived: "working",
  in_progress: "working",
  completed: "unpaid",
  disputed: "unpaid",
  paid: "ended",
  cancelled: "ended",
  resolved: "ended",
};

export function jobGroup(status: Schemas["JobStatus"]): JobGroup {
  return GROUPS[status];
}

const SIZE: ExpressionSpecification = ["interpolate", ["linear"], ["zoom"], 10, 0.6, 14, 1];
const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };
const onTop = { "icon-allow-overlap": true, "icon-ignore-placement": true } as const;

export function addMechanics(map: GlMap, id = "mechanics"): Marks<MechanicMark> {
  addImages(map, scheme.current);
  return marks(
    map,
    id,
    [
      chosen(id),
      {
        id: `${id}-heading`,
        type: "symbol",
        source: id,
        minzoom: 11,
        filter: ["all", ["has", "heading"], ["!", ["get", "isStale"]]],
        layout: {
          "icon-image": ["concat", "heading-", ["get", "state"]],
          "icon-rotate": ["get", "heading"],
          "icon-rotation-alignment": "map",
          "icon-size": SIZE,
          ...onTop,
        },
      },
      {
        id,
        type: "symbol",
        source: id,
        layout: {
          "icon-image": ["concat", "mechanic-", ["get", "state"], ["case", ["get", "isStale"], "-stale", ""]],
          "icon-size": SIZE,
          "symbol-sort-key": ["match", ["get", "state"], "offline", 0, "free", 1, 2],
          ...onTop,
        },
      },
      labels(id, [0, 1.3]),
    ],
    ({ state, heading, isStale = false }) => ({ state, isStale, ...(typeof heading === "number" && { heading }) }),
  );
}

export function addJobs(map: GlMap, id = "jobs"): Marks<JobMark> {
  addImages(map, scheme.current);
  return marks(
    map,
    id,
    [
      chosen(id, [0, -16]),
      {
        id,
        type: "symbol",
        source: id,
        layout: {
          "icon-image": ["concat", "job-", ["get", "group"]],
          "icon-anchor": "bottom",
          "icon-size": SIZE,
          "symbol-sort-key": ["match", ["get", "group"], "ended", 0, "unpaid", 1, "working", 2, "coming", 3, 4],
          ...onTop,
        },
      },
      labels(id, [0, 0.3]),
    ],
    ({ status }) => ({ status, group: jobGroup(status) }),
  );
}

/** Adds the places where help is needed. */
export function addPickup(map: GlMap, id = "pickup"): Marks<Mark> {
  addImages(map, scheme.current);
  return marks(
    map,
    id,
    [
      {
        id,
        type: "symbol",
        source: id,
        layout: { "icon-image": "pickup", "icon-anchor": "bottom", "icon-size": 1.15, ...onTop },
      },
      labels(id, [0, 0.3]),
    ],
    () => ({}),
  );
}

/** Adds a circle for the uncertainty of a position: `show(null)` removes it. */
export function addAccuracy(
  map: GlMap,
  id = "accuracy",
): { show(at: { lat: number; lng: number; metres: number } | null): void } {
  const colour = tonesOf(scheme.current).info;
  map.addSource(id, { type: "geojson", data: EMPTY });
  map.addLayer({ id, type: "fill", source: id, paint: { "fill-color": colour, "fill-opacity": 0.15 } });
  map.addLayer({
    id: `${id}-edge`,
    type: "line",
    source: id,
    paint: { "line-color": colour, "line-opacity": 0.6, "line-width": 1.2 },
  });
  return { show: (at) => void source(map, id).setData(at ? circle(at) : EMPTY) };
}

/** Adds the route that was driven, oldest place first. */
export function addTrail(map: GlMap, id = "trail"): { show(places: { lat: number; lng: number }[]): void } {
  const [tone, layout] = [tonesOf(scheme.current), { "line-cap": "round", "line-join": "round" } as const];
  map.addSource(id, { type: "geojson", data: EMPTY });
  map.addLayer({
    id: `${id}-edge`,
    type: "line",
    source: id,
    layout,
    paint: { "line-color": tone.ring, "line-width": 7 },
  });
  map.addLayer({ id, type: "line", source: id, layout, paint: { "line-color": tone.info, "line-width": 4 } });
  return {
    show: (places) =>
      void source(map, id).setData({
        type: "Feature",
        properties: {},
        geometry: { type: "LineString", coordinates: places.map(({ lng, lat }) => [lng, lat]) },
      }),
  };
}

/** Adds the counts of squares, for a map too far out to show each mechanic and job. */
export function addCells(map: GlMap, id = "cells"): { layers: string[]; show(cells: CellMark[]): void } {
  const [tone, colour] = [tonesOf(scheme.current), palettes[scheme.current]];
  const radius: ExpressionSpecification = [
    "interpolate",
    ["linear"],
    ["sqrt", ["get", "mechanics"]],
    1,
    12,
    10,
    22,
    30,
    34,
  ];
  const text = { "text-font": BOLD, "text-allow-overlap": true, "text-ignore-placement": true } as const;
  map.addSource(id, { type: "geojson", data: EMPTY });
  const layers: LayerSpecification[] = [
    {
      id,
      type: "circle",
      source: id,
      filter: [">", ["get", "mechanics"], 0],
      paint: {
        "circle-radius": radius,
        "circle-color": colour.halo,
        "circle-opacity": 0.92,
        "circle-stroke-width": 3,
        "circle-stroke-color": ["case", [">", ["get", "free"], 0], tone.good, tone.info],
      },
    },
    {
      id: `${id}-count`,
      type: "symbol",
      source: id,
      filter: [">", ["get", "mechanics"], 0],
      layout: { "text-field": ["to-string", ["get", "mechanics"]], "text-size": 13, ...text },
      paint: { "text-color": colour.textStrong },
    },
    {
      id: `${id}-jobs`,
      type: "circle",
      source: id,
      filter: [">", ["get", "waiting_jobs"], 0],
      paint: {
        "circle-radius": 10,
        "circle-color": tone.bad,
        "circle-translate": [15, -15],
        "circle-stroke-width": 2,
        "circle-stroke-color": tone.ring,
      },
    },
    {
      id: `${id}-jobs-count`,
      type: "symbol",
      source: id,
      filter: [">", ["get", "waiting_jobs"], 0],
      layout: { "text-field": ["to-string", ["get", "waiting_jobs"]], "text-size": 11, ...text },
      paint: { "text-color": tone.sign, "text-translate": [15, -15] },
    },
  ];
  for (const layer of layers) map.addLayer(layer);
  return {
    layers: [id, `${id}-jobs`],
    show: (cells) =>
      void source(map, id).setData({
        type: "FeatureCollection",
        features: cells.map((cell) => ({
          type: "Feature",
          geometry: point(cell),
          properties: { ...cell, mechanics: cell.free + cell.busy },
        })),
      }),
  };
}

function chosen(id: string, translate: [number, number] = [0, 0]): LayerSpecification {
  const tone = tonesOf(scheme.current);
  return {
    id: `${id}-chosen`,
    type: "circle",
    source: id,
    filter: ["get", "isChosen"],
    paint: {
      "circle-radius": 20,
      "circle-color": tone.accent,
      "circle-opacity": 0.25,
      "circle-stroke-width": 2.5,
      "circle-stroke-color": tone.accent,
      "circle-translate": translate,
    },
  };
}

function labels(id: string, offset: [number, number]): LayerSpecification {
  const colour = palettes[scheme.current];
  return {
    id: `${id}-label`,
    type: "symbol",
    source: id,
    minzoom: 13,
    filter: ["has", "label"],
    layout: {
      "text-field": ["get", "label"],
      "text-font": ["case", ["get", "isChosen"], ["literal", BOLD], ["literal", REGULAR]],
      "text-size": 12,
      "text-anchor": "top",
      "text-offset": offset,
      "text-optional": true,
    },
    paint: { "text-color": colour.textStrong, "text-halo-color": colour.halo, "text-halo-width": 1.6 },
  };
}

function marks<T extends Mark>(
  map: GlMap,
  id: string,
  layers: LayerSpecification[],
  properties: (mark: T) => Record<string, unknown>,
): Marks<T> {
  map.addSource(id, { type: "geojson", data: EMPTY, promoteId: "id", maxzoom: 14, buffer: 64 });
  for (const layer of layers) map.addLayer(layer);
  const shown = new Map<string, { feature: Feature<Point>; is: string }>();

  const change = (changed: Iterable<T>, gone: Iterable<string> = []) => {
    const diff = {
      remove: [] as string[],
      add: [] as Feature[],
      update: [] as NonNullable<GeoJSONSourceDiff["update"]>,
    };
    for (const key of gone) if (shown.delete(key)) diff.remove.push(key);
    for (const mark of changed) {
      const { isChosen = false, label } = mark;
      const all = { id: mark.id, isChosen, ...(label && { label }), ...properties(mark) };
      const next = {
        feature: { type: "Feature", geometry: point(mark), properties: all } satisfies Feature<Point>,
        is: JSON.stringify(all),
      };
      const last = shown.get(mark.id);
      shown.set(mark.id, next);
      // A feature that is added again replaces the one with the same id.
      if (last?.is !== next.is) diff.add.push(next.feature);
      else if (!samePlace(last.feature, next.feature))
        diff.update.push({ id: mark.id, newGeometry: next.feature.geometry });
    }
    if (diff.remove.length + diff.add.length + diff.update.length > 0) void source(map, id).updateData(diff);
  };
  return {
    layers: [id],
    change,
    show: (all) => {
      const list = [...all];
      const kept = new Set(list.map((mark) => mark.id));
      change(
        list,
        [...shown.keys()].filter((key) => !kept.has(key)),
      );
    },
  };
}

function samePlace(one: Feature<Point>, other: Feature<Point>): boolean {
  return one.geometry.coordinates.every((value, index) => value === other.geometry.coordinates[index]);
}

const source = (map: GlMap, id: string) => map.getSource<GeoJSONSource>(id) as GeoJSONSource;
const point = ({ lat, lng }: { lat: number; lng: number }): Point => ({ type: "Point", coordinates: [lng, lat] });

function circle({ lat, lng, metres }: { lat: number; lng: number; metres: number }): Feature {
  const [dy, dx] = [metres / 111_195, metres / (111_195 * Math.cos((lat * Math.PI) / 180))];
  const ring = Array.from({ length: 65 }, (_, index) => {
    const angle = (index / 64) * 2 * Math.PI;
    return [lng + dx * Math.cos(angle), lat + dy * Math.sin(angle)];
  });
  return { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } };
}
