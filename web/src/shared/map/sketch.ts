// The demo city as vectors: `bengaluru.json` is drawn by hand, and this turns it into lines and areas. Main roads,
// railways, lakes and parks roughly follow the real ones; side streets only suggest that there are some.
import type { Feature, FeatureCollection, Position } from "geojson";

/** English, Hindi, Kannada. */
type Names = [string, string, string] | null;
type RoadClass = "motorway" | "primary" | "secondary";

export interface Sketch {
  /** The edge of the city. */
  outline: number[];
  roads: [RoadClass, Names, number[]][];
  rails: number[][];
  lakes: [Names, number[]][];
  parks: [Names, number[]][];
  /** The outline, then the runway. */
  airfields: [Names, number[], number[]][];
  /** Rank, names, place. */
  towns: [number, Names, number, number][];
  landmarks: [Names, number, number][];
  /** Rank, names, place, and the angle of its streets in degrees. */
  quarters: [number, Names, number, number, number][];
}

export const LANGUAGES = ["en", "hi", "kn"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The bounding box of the city: west, south, east, north. */
export const SKETCH_BOUNDS = [77.4, 12.8, 77.82, 13.13] as const;

/** Metres per unit of the drawing, at Bengaluru's latitude. */
const UNIT_M = { x: 10.845, y: 11.06 };

const degrees = ([x, y]: Point): Position => [round(77 + x / 1e4), round(12 + y / 1e4)];
const round = (value: number) => Math.round(value * 1e6) / 1e6;

type Point = readonly [x: number, y: number];

export function sketchFeatures(sketch: Sketch, language: Language): FeatureCollection {
  const features: Feature[] = [];
  const at = LANGUAGES.indexOf(language);
  const add = (kind: string, geometry: Feature["geometry"], names: Names, more: Record<string, unknown> = {}) =>
    features.push({ type: "Feature", geometry, properties: { kind, ...(names && { name: names[at] }), ...more } });
  const ring = (flat: number[]): Position[][] => [smooth(pairs(flat), true).map(degrees)];

  const quarters = sketch.quarters.map(([, , x, y, turn]) => ({ place: [x, y] as Point, turn }));
  const cells = quarters.map(({ place }, index) =>
    cell(
      place,
      quarters.filter((_, other) => other !== index).map((other) => other.place),
    ),
  );
  const town = pairs(sketch.outline);
  const inTown = (line: Point[]) => line.every((p) => contains(town, p));
  add("town", { type: "Polygon", coordinates: ring(sketch.outline) }, null);
  add(
    "road",
    {
      type: "MultiLineString",
      coordinates: edges(cells)
        .filter(inTown)
        .map((line) => line.map(degrees)),
    },
    null,
    { class: "tertiary" },
  );
  quarters.forEach(({ place, turn }, index) => {
    const lines = streets(cells[index] ?? [], place, turn, index);
    add("road", { type: "MultiLineString", coordinates: lines.filter(inTown).map((line) => line.map(degrees)) }, null, {
      class: "street",
    });
  });
  for (const [names, ground, runway] of sketch.airfields) {
    add("airfield", { type: "Polygon", coordinates: ring(ground) }, names);
    add("runway", { type: "LineString", coordinates: pairs(runway).map(degrees) }, null);
  }
  for (const [names, outline] of sketch.parks)
    add("park", { type: "Polygon", coordinates: ring(outline) }, names, { size: area(pairs(outline)) });
  for (const [names, outline] of sketch.lakes)
    add("lake", { type: "Polygon", coordinates: ring(outline) }, names, { size: area(pairs(outline)) });
  for (const line of sketch.rails)
    add("rail", { type: "LineString", coordinates: smooth(pairs(line), false).map(degrees) }, null);
  for (const [roadClass, names, line] of sketch.roads) {
    add("road", { type: "LineString", coordinates: smooth(pairs(line), false).map(degrees) }, names, {
      class: roadClass,
    });
  }
  for (const [rank, names, x, y] of sketch.towns)
    add("place", { type: "Point", coordinates: degrees([x, y]) }, names, { class: "town", rank });
  for (const [rank, names, x, y] of sketch.quarters)
    add("place", { type: "Point", coordinates: degrees([x, y]) }, names, { class: "quarter", rank });
  for (const [names, x, y] of sketch.landmarks)
    add("place", { type: "Point", coordinates: degrees([x, y]) }, names, { class: "landmark", rank: 3 });
  // The names of areas are points, so that each appears once.
  for (const [kind, areas] of [
    ["park", sketch.parks],
    ["lake", sketch.lakes],
    ["airfield", sketch.airfields],
  ] as const) {
    for (const [names, outline] of areas) {
      if (names)
        add("place", { type: "Point", coordinates: degrees(middle(pairs(outline))) }, names, {
          class: kind,
          size: area(pairs(outline)),
        });
    }
  }
  return { type: "FeatureCollection", features };
}

function pairs(flat: number[]): Point[] {
  const points: Point[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    points.push([flat[index] as number, flat[index + 1] as number]);
  return points;
}

/** Adds points along a centripetal curve through all of them: roads that meet at a point still meet there. */
export function smooth(points: Point[], isClosed: boolean, steps = 5): Point[] {
  const count = points.length;
  if (count < 3) return points;
  const get = (index: number): Point =>
    isClosed ? (points[(index + count) % count] as Point) : (points[Math.min(count - 1, Math.max(0, index))] as Point);
  const result: Point[] = [];
  const segments = isClosed ? count : count - 1;
  for (let segment = 0; segment < segments; segment += 1) {
    const [a, b, c, d] = [get(segment - 1), get(segment), get(segment + 1), get(segment + 2)];
    for (let step = 0; step < steps; step += 1) result.push(between(a, b, c, d, step / steps));
  }
  result.push(isClosed ? (points[0] as Point) : (points[count - 1] as Point));
  return result;
}

/** Returns a point between `b` and `c` (Barry and Goldman's form of the Catmull–Rom curve). */
function between(a: Point, b: Point, c: Point, d: Point, share: number): Point {
  const knot = (p: Point, q: Point) => Math.max(Math.sqrt(Math.hypot(q[0] - p[0], q[1] - p[1])), 0.01);
  const t1 = knot(a, b);
  const t2 = t1 + knot(b, c);
  const t3 = t2 + knot(c, d);
  const t = t1 + (t2 - t1) * share;
  const mix = (p: Point, q: Point, from: number, to: number): Point => {
    const part = (t - from) / (to - from);
    return [p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part];
  };
  const [a1, a2, a3] = [mix(a, b, 0, t1), mix(b, c, t1, t2), mix(c, d, t2, t3)];
  return mix(mix(a1, a2, 0, t2), mix(a2, a3, t1, t3), t1, t2);
}

/** Returns the area that is nearer to `place` than to every other one, and at most 1.8 km away. */
function cell(place: Point, others: Point[]): Point[] {
  const radius = 165;
  let corners: Point[] = Array.from({ length: 18 }, (_, index) => {
    const angle = (index / 18) * 2 * Math.PI;
    return [place[0] + radius * Math.cos(angle), place[1] + radius * Math.sin(angle)];
  });
  for (const other of others) {
    if (Math.hypot(other[0] - place[0], other[1] - place[1]) > 2 * radius) continue;
    const normal: Point = [other[0] - place[0], other[1] - place[1]];
    const limit = (normal[0] * (place[0] + other[0]) + normal[1] * (place[1] + other[1])) / 2;
    corners = cut(corners, normal, limit);
  }
  return corners;
}

/** Returns the part of a convex area on this side of a line. */
function cut(corners: Point[], normal: Point, limit: number): Point[] {
  const side = (p: Point) => normal[0] * p[0] + normal[1] * p[1] - limit;
  const kept: Point[] = [];
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % corners.length] as Point;
    const [here, there] = [side(corner), side(next)];
    if (here <= 0) kept.push(corner);
    if (here * there < 0) {
      const part = here / (here - there);
      kept.push([corner[0] + (next[0] - corner[0]) * part, corner[1] + (next[1] - corner[1]) * part]);
    }
  });
  return kept;
}

/** Returns the borders between cells, each once, without the edge of the city. */
function edges(cells: Point[][]): Point[][] {
  const key = (p: Point) => `${Math.round(p[0])},${Math.round(p[1])}`;
  const seen = new Set<string>();
  const lines: Point[][] = [];
  for (const corners of cells) {
    corners.forEach((corner, index) => {
      const next = corners[(index + 1) % corners.length] as Point;
      const name = [key(corner), key(next)].sort().join(" ");
      if (seen.has(name)) lines.push([corner, next]);
      seen.add(name);
    });
  }
  return lines;
}

/** Returns parallel streets and the shorter cross streets in `corners`. The same `seed` gives the same streets. */
function streets(corners: Point[], place: Point, turn: number, seed: number): Point[][] {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const toGrid = ([x, y]: Point): Point => {
    const [mx, my] = [(x - place[0]) * UNIT_M.x, (y - place[1]) * UNIT_M.y];
    return [mx * cos + my * sin, my * cos - mx * sin];
  };
  const fromGrid = ([u, v]: Point): Point => [
    place[0] + (u * cos - v * sin) / UNIT_M.x,
    place[1] + (u * sin + v * cos) / UNIT_M.y,
  ];
  const outline = corners.map(toGrid);
  const random = dice(seed);
  const lines: Point[][] = [];
  const rows: number[] = [];
  for (let v = -1900; v < 1900; v += 62 + 40 * random()) rows.push(v);
  for (const v of rows) {
    const span = chord(outline, v, 1);
    if (span) lines.push([fromGrid([span[0], v]), fromGrid([span[1], v])]);
  }
  for (let u = -1900; u < 1900; u += 120 + 90 * random()) {
    const span = chord(outline, u, 0);
    if (!span) continue;
    const stops = [span[0], ...rows.filter((v) => v > span[0] && v < span[1]), span[1]];
    let from: number | null = null;
    stops.forEach((v, index) => {
      const isLast = index === stops.length - 1;
      const goesOn = !isLast && random() < 0.8;
      if (from === null && goesOn) from = v;
      if (from !== null && !goesOn) {
        lines.push([fromGrid([u, from]), fromGrid([u, v])]);
        from = null;
      }
    });
  }
  return lines;
}

/** Returns where a line along an axis enters and leaves a convex outline. */
function chord(outline: Point[], value: number, axis: 0 | 1): [number, number] | null {
  const other = axis === 0 ? 1 : 0;
  const hits: number[] = [];
  outline.forEach((p, index) => {
    const q = outline[(index + 1) % outline.length] as Point;
    if (p[axis] < value === q[axis] < value) return;
    hits.push(p[other] + ((value - p[axis]) / (q[axis] - p[axis])) * (q[other] - p[other]));
  });
  return hits.length < 2 ? null : [Math.min(...hits), Math.max(...hits)];
}

/** Returns a generator of reproducible numbers from 0 to 1 (mulberry32). */
function dice(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function contains(outline: Point[], [x, y]: Point): boolean {
  let isInside = false;
  outline.forEach(([ax, ay], index) => {
    const [bx, by] = outline[(index + 1) % outline.length] as Point;
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  });
  return isInside;
}

/** Returns the area in square units of the drawing. */
function area(outline: Point[]): number {
  const twice = outline.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = outline[(index + 1) % outline.length] as Point;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.round(Math.abs(twice) / 2);
}

function middle(outline: Point[]): Point {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}
