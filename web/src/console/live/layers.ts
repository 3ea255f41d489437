// The drawing of the fleet. Mechanics are round: a disc is free, a ring has an offer, a disc with an eye is busy; jobs
// are labels with a point.
import type { GeoJSONSource, Map as GlMap, MapLayerMouseEvent } from "maplibre-gl";
import type { FleetCell, FleetJob, FleetMechanic, JobDetails } from "./fleet";
import { jobLook, minutesWaited, isStale, isWaiting, type JobLook } from "./choice";
import type { Mark } from "./paint";

type Scheme = "light" | "dark";

const colours = {
  light: {
    free: "#0f7a44",
    offered: "#b36b00",
    busy: "#2558c9",
    stale: "#7d8896",
    edge: "#ffffff",
    text: "#141a22",
    chosen: "#141a22",
    late: "#b3261e",
    long: "#a35c00",
    waiting: "#7a5a00",
    alarm: "#b3261e",
    active: "#2558c9",
  },
  dark: {
    free: "#4cd48a",
    offered: "#ffc247",
    busy: "#6ea8ff",
    stale: "#8793a3",
    edge: "#0d1015",
    text: "#eef1f5",
    chosen: "#ffffff",
    late: "#ff7b6e",
    long: "#ffb347",
    waiting: "#ffe08a",
    alarm: "#ff7b6e",
    active: "#9cc2ff",
  },
} as const;

export const SOURCES = {
  mechanics: "fleet-mechanics",
  jobs: "fleet-jobs",
  cells: "fleet-cells",
  chosen: "fleet-chosen",
} as const;
/** The clickable layers, the uppermost first. */
export const CLICKED = ["fleet-jobs", "fleet-mechanics", "fleet-cells"];

export function mechanicMark(mechanic: FleetMechanic, now: number): Mark {
  return { lng: mechanic.lng, lat: mechanic.lat, properties: { s: isStale(mechanic, now) ? "stale" : mechanic.state } };
}

export function jobMark(job: FleetJob, details: JobDetails | undefined, now: number): Mark {
  const look = jobLook(job, details, now);
  const label = look === "alarm" ? "!" : isWaiting(job) ? minutesWaited(job, now) : "";
  return { lng: job.lng, lat: job.lat, properties: { i: `job|${look}|${label}`, o: order[look] } };
}
const order: Record<JobLook, number> = { active: 0, waiting: 1, long: 2, late: 3, alarm: 4 };

export function cellMark(cell: FleetCell): Mark {
  const mechanics = cell.free + cell.busy;
  return {
    lng: cell.lng,
    lat: cell.lat,
    properties: {
      n: mechanics,
      f: mechanics === 0 ? 0 : cell.free / mechanics,
      i: `number|${short(mechanics)}`,
      w: cell.waiting_jobs,
      j: `badge|${short(cell.waiting_jobs)}`,
    },
  };
}
const short = (count: number) => (count < 1000 ? String(count) : `${Math.floor(count / 100) / 10}k`);

/** Adds the sources and layers; returns the sources. */
export function addFleet(map: GlMap, scheme: Scheme): Record<keyof typeof SOURCES, GeoJSONSource> {
  const colour = colours[scheme];
  for (const id of Object.values(SOURCES)) {
    map.addSource(id, {
      type: "geojson",
      data: { type: "FeatureCollection", features: [] },
      promoteId: "id",
      maxzoom: 16,
    });
  }
  map.setMissingStyleImageResolver((id) => draw(map, id, scheme));
  map.addLayer({
    id: "fleet-cells",
    type: "circle",
    source: SOURCES.cells,
    filter: [">", ["get", "n"], 0],
    paint: {
      "circle-radius": ["interpolate", ["linear"], ["sqrt", ["get", "n"]], 1, 10, 5, 15, 30, 28],
      "circle-color": ["interpolate", ["linear"], ["get", "f"], 0, colour.busy, 1, colour.free],
      "circle-opacity": 0.35,
      "circle-stroke-width": 1.5,
      "circle-stroke-color": ["interpolate", ["linear"], ["get", "f"], 0, colour.busy, 1, colour.free],
    },
  });
  map.addLayer({
    id: "fleet-cell-numbers",
    type: "symbol",
    source: SOURCES.cells,
    filter: [">", ["get", "n"], 0],
    layout: { "icon-image": ["get", "i"], "icon-allow-overlap": true, "icon-ignore-placement": true },
  });
  map.addLayer({
    id: "fleet-cell-jobs",
    type: "symbol",
    source: SOURCES.cells,
    filter: [">", ["get", "w"], 0],
    layout: {
      "icon-image": ["get", "j"],
      "icon-allow-overlap": true,
      "icon-ignore-placement": true,
      "icon-offset": [14, -14],
    },
  });
  const size = (factor: number): maplibre => [
    "interpolate",
    ["linear"],
    ["zoom"],
    10,
    4 * factor,
    12,
    6 * factor,
    14,
    8 * factor,
    17,
    10 * factor,
  ];
  map.addLayer({
    id: "fleet-mechanics",
    type: "circle",
    source: SOURCES.mechanics,
    paint: {
      "circle-radius": size(1),
      "circle-color": ["match", ["get", "s"], "free", colour.free, "busy", colour.busy, colour.edge],
      "circle-opacity": ["match", ["get", "s"], "free", 1, "busy", 1, 0.35],
      "circle-stroke-width": ["match", ["get", "s"], "offered", 3, "stale", 2, 1.5],
      "circle-stroke-color": ["match", ["get", "s"], "offered", colour.offered, "stale", colour.stale, colour.edge],
    },
  });
  map.addLayer({
    id: "fleet-eyes",
    type: "circle",
    source: SOURCES.mechanics,
    filter: ["==", ["get", "s"], "busy"],
    paint: { "circle-radius": size(0.42), "circle-color": colour.edge },
  });
  map.addLayer({
    id: "fleet-chosen",
    type: "circle",
    source: SOURCES.chosen,
    paint: {
      "circle-radius": 17,
      "circle-opacity": 0,
      "circle-stroke-width": 2.5,
      "circle-stroke-color": colour.chosen,
    },
  });
  map.addLayer({
    id: "fleet-jobs",
    type: "symbol",
    source: SOURCES.jobs,
    layout: {
      "icon-image": ["get", "i"],
      "icon-anchor": "bottom",
      "icon-allow-overlap": true,
      "icon-ignore-placement": true,
      "symbol-sort-key": ["get", "o"],
    },
  });
  const source = (id: string) => map.getSource<GeoJSONSource>(id) as GeoJSONSource;
  return {
    mechanics: source(SOURCES.mechanics),
    jobs: source(SOURCES.jobs),
    cells: source(SOURCES.cells),
    chosen: source(SOURCES.chosen),
  };
}
type maplibre = import("maplibre-gl").ExpressionSpecification;

/** Returns the object under a click: its layer and id. */
export function clicked(
  map: GlMap,
  event: MapLayerMouseEvent | { point: { x: number; y: number } },
): { layer: string; id: string } | null {
  const { x, y } = event.point;
  const around: [[number, number], [number, number]] = [
    [x - 6, y - 6],
    [x + 6, y + 6],
  ];
  const found = map.queryRenderedFeatures(around, { layers: CLICKED });
  for (const layer of CLICKED) {
    const feature = found.find((candidate) => candidate.layer.id === layer);
    if (feature) return { layer, id: String(feature.properties["id"]) };
  }
  return null;
}

/** Draws a mark by its name, when the map needs it for the first time. */
function draw(map: GlMap, name: string, scheme: Scheme): void {
  const [kind, ...rest] = name.split("|");
  const image =
    kind === "job"
      ? jobImage(rest[0] as JobLook, rest[1] ?? "", scheme)
      : kind === "number"
        ? textImage(rest[0] ?? "", scheme)
        : kind === "badge"
          ? badgeImage(rest[0] ?? "", scheme)
          : null;
  if (image && !map.hasImage(name)) map.addImage(name, image, { pixelRatio: RATIO });
}

const RATIO = 2;

function canvas(width: number, height: number): CanvasRenderingContext2D {
  const element = document.createElement("canvas");
  element.width = width * RATIO;
  element.height = height * RATIO;
  const context = element.getContext("2d") as CanvasRenderingContext2D;
  context.scale(RATIO, RATIO);
  context.textAlign = "center";
  context.textBaseline = "middle";
  return context;
}

const finish = (context: CanvasRenderingContext2D) =>
  context.getImageData(0, 0, context.canvas.width, context.canvas.height);

function jobImage(look: JobLook, label: string, scheme: Scheme): ImageData {
  const colour = colours[scheme];
  const width = label.length > 2 ? 34 : label ? 28 : 18;
  const height = label ? 28 : 22;
  const context = canvas(width, height);
  const isFilled = look === "late" || look === "alarm";
  const body = height - 7;
  context.beginPath();
  context.roundRect(1.5, 1.5, width - 3, body - 1.5, 4);
  context.moveTo(width / 2 - 4, body);
  context.lineTo(width / 2, height - 1);
  context.lineTo(width / 2 + 4, body);
  context.lineWidth = 3;
  context.strokeStyle = colour[look];
  context.stroke();
  context.fillStyle = isFilled ? colour[look] : colour.edge;
  context.fill();
  if (label) {
    context.fillStyle = isFilled ? colour.edge : scheme === "light" ? colour.text : colour[look];
    context.font = "700 13px system-ui, sans-serif";
    context.fillText(label, width / 2, body / 2 + 1.5);
  } else {
    context.fillStyle = colour[look];
    context.beginPath();
    context.arc(width / 2, body / 2 + 1, 3, 0, Math.PI * 2);
    context.fill();
  }
  return finish(context);
}

function textImage(text: string, scheme: Scheme): ImageData {
  const context = canvas(text.length * 9 + 8, 18);
  context.font = "700 13px system-ui, sans-serif";
  context.fillStyle = colours[scheme].text;
  context.fillText(text, (text.length * 9 + 8) / 2, 9.5);
  return finish(context);
}

function badgeImage(text: string, scheme: Scheme): ImageData {
  const width = Math.max(18, text.length * 8 + 8);
  const context = canvas(width, 18);
  context.beginPath();
  context.roundRect(0, 0, width, 18, 4);
  context.fillStyle = colours[scheme].late;
  context.fill();
  context.font = "700 12px system-ui, sans-serif";
  context.fillStyle = colours[scheme].edge;
  context.fillText(text, width / 2, 9.5);
  return finish(context);
}
