import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { LineString, Position } from "geojson";
import { sketchFeatures, smooth, type Sketch } from "../../../src/shared/map/sketch";

const path = resolve(import.meta.dirname, "../../../src/shared/map/bengaluru.json");
const sketch = JSON.parse(readFileSync(path, "utf8")) as Sketch;
const scenario = readFileSync(resolve(import.meta.dirname, "../../../../demo/bengaluru.toml"), "utf8");
const demoPlaces = [...scenario.matchAll(/\[\[places\]\]\nname = "(.+)"\nlat = (.+)\nlng = (.+)/g)].map(
  ([, name, lat, lng]) => ({ name, lat: Number(lat), lng: Number(lng) }),
);
const { features } = sketchFeatures(sketch, "en");

/** Returns metres, accurate enough within a city. */
const metres = ([lng = 0, lat = 0]: Position, [otherLng = 0, otherLat = 0]: Position) =>
  Math.hypot((lng - otherLng) * 108_450, (lat - otherLat) * 110_600);

test("every place of the demo has its name on the map, within 500 m", () => {
  expect(demoPlaces).toHaveLength(30);
  for (const { name, lat, lng } of demoPlaces) {
    const named = features.filter(
      ({ properties, geometry }) => properties?.["name"] === name && geometry.type === "Point",
    );
    const nearest = Math.min(
      ...named.map(({ geometry }) => metres((geometry as { coordinates: Position }).coordinates, [lng, lat])),
    );
    expect(nearest, name).toBeLessThan(500);
  }
});

test("it is small, and every name is there in three languages", () => {
  expect(readFileSync(path).length).toBeLessThanOrEqual(60_000);
  expect(sketch.roads.length).toBeGreaterThanOrEqual(60);
  const names = [...sketch.roads, ...sketch.quarters, ...sketch.towns]
    .map(([, names]) => names)
    .concat([...sketch.lakes, ...sketch.parks, ...sketch.landmarks].map(([names]) => names));
  for (const name of names.filter((name) => name !== null)) {
    expect(name).toHaveLength(3);
    expect(name[1], name[0]).toMatch(/[\u0900-\u097f]/);
    expect(name[2], name[0]).toMatch(/[\u0c80-\u0cff]/);
  }
  expect(features.filter(({ properties }) => properties?.["class"] === "primary").length).toBeGreaterThan(30);
  expect(
    sketchFeatures(sketch, "kn").features.find(({ properties }) => properties?.["rank"] === 1)?.properties?.["name"],
  ).toBe("ಬೆಂಗಳೂರು");
});

test("main roads form one network", () => {
  const roads = features
    .filter(({ geometry, properties }) => geometry.type === "LineString" && properties?.["kind"] === "road")
    .map(({ geometry }) => (geometry as LineString).coordinates);
  const touches = (one: Position[], other: Position[]) =>
    one.some((point) => other.some((place) => metres(point, place) < 60));
  const reached = new Set([0]);
  for (let grew = true; grew;) {
    grew = false;
    roads.forEach((road, index) => {
      if (reached.has(index) || ![...reached].some((known) => touches(roads[known] ?? [], road))) return;
      reached.add(index);
      grew = true;
    });
  }
  expect(roads.flatMap((_, index) => (reached.has(index) ? [] : [sketch.roads[index]?.[1]?.[0]]))).toEqual([]);
});

test("curves go through the points they are drawn from", () => {
  const points = [
    [0, 0],
    [10, 0],
    [10, 10],
    [30, 40],
  ] as [number, number][];
  const curve = smooth(points, false);
  for (const point of points) expect(curve.some(([x, y]) => Math.hypot(x - point[0], y - point[1]) < 1e-6)).toBe(true);
  const ring = smooth(points, true);
  expect(ring[0]).toEqual(ring.at(-1));
});
