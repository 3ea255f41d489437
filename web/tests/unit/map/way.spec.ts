import { expect, test } from "vitest";
import type { Position } from "geojson";
import { palettes } from "../../../src/shared/map/palette";
import { ahead, OFF_M, wayColours, WayFollower } from "../../../src/shared/map/way";

/** Returns a place some metres east and north of a point in Bengaluru. */
const at = (east: number, north: number) => ({ lat: 12.97 + north / 111_195, lng: 77.59 + east / 108_358 });
const on = (east: number, north: number): Position => [at(east, north).lng, at(east, north).lat];
const metres = (line: readonly Position[]): number =>
  line
    .slice(1)
    .map(([lng = 0, lat = 0], index) => {
      const [fromLng = 0, fromLat = 0] = line[index] ?? [];
      return Math.hypot((lng - fromLng) * 108_358, (lat - fromLat) * 111_195);
    })
    .reduce((sum, one) => sum + one, 0);

const corner = [on(0, 0), on(400, 0), on(400, 300)];

test("what is ahead begins beside the mechanic", () => {
  const found = ahead(corner, at(100, -20));
  expect(found?.offM).toBeCloseTo(20, 0);
  expect(metres(found?.rest ?? [])).toBeCloseTo(600, 0);
  expect(metres(ahead(corner, at(410, 100))?.rest ?? [])).toBeCloseTo(200, 0);
  expect(metres(ahead(corner, at(400, 900))?.rest ?? [])).toBe(0);
});

test("where the road comes back beside itself, the mechanic is on the part that comes first", () => {
  const loop = [on(0, 0), on(1000, 0), on(1000, 12), on(0, 12)];
  expect(metres(ahead(loop, at(100, 9))?.rest ?? [])).toBeCloseTo(1912, -1);
});

test("a line of fewer than two points is none", () => {
  expect(ahead([], at(0, 0))).toBeNull();
  expect(ahead([on(0, 0)], at(0, 0))).toBeNull();
});

/** Creates a service that stores the questions, and answers when told to. */
function service() {
  const answers: ((line: Position[] | null) => void)[] = [];
  let nowMs = 0;
  let line: readonly Position[] = [];
  const way = new WayFollower(
    () =>
      new Promise((resolve) => {
        answers.push((coordinates) =>
          resolve({
            type: "Feature",
            geometry: coordinates && { type: "LineString", coordinates },
            properties: { distance_m: null },
          }),
        );
      }),
    (shown) => (line = shown),
    () => nowMs,
  );
  return {
    way,
    line: () => line,
    asked: () => answers.length,
    answer: async (line: Position[] | null) => {
      answers.at(-1)?.(line);
      await new Promise((resolve) => setTimeout(resolve));
    },
    later: (ms: number) => (nowMs += ms),
  };
}

test("on its line the mechanic is followed without asking again; off it there is one question", async () => {
  const { way, line, asked, answer, later } = service();
  way.moved(at(0, 0));
  way.moved(at(5, 0));
  expect(asked()).toBe(1);
  await answer(corner);
  expect(metres(line())).toBeCloseTo(700, 0);
  for (const east of [100, 200, 300]) way.moved(at(east, 10));
  expect(metres(line())).toBeCloseTo(400, 0);
  expect(asked()).toBe(1);
  way.moved(at(300, -OFF_M - 5));
  expect(asked()).toBe(1);
  later(10_000);
  way.moved(at(300, -OFF_M - 5));
  way.moved(at(300, -OFF_M - 25));
  expect(asked()).toBe(2);
  await answer([on(300, -100), on(400, 300)]);
  expect(line()).toHaveLength(2);
});

test("where no way is known the question is rare", async () => {
  const { way, line, asked, answer, later } = service();
  way.moved(at(0, 0));
  await answer(null);
  for (let seconds = 0; seconds < 59; seconds += 1) {
    later(1_000);
    way.moved(at(seconds, 0));
  }
  expect(asked()).toBe(1);
  later(1_000);
  way.moved(at(0, 0));
  expect(asked()).toBe(2);
  expect(line()).toEqual([]);
});

test("who has arrived has no way, even if its answer comes late", async () => {
  const { way, line, asked, answer } = service();
  way.moved(at(0, 0));
  way.moved(null);
  await answer(corner);
  expect(line()).toEqual([]);
  way.moved(at(0, 0));
  expect(asked()).toBe(2);
  await answer(corner);
  expect(line()).toHaveLength(3);
  way.moved(null);
  expect(line()).toEqual([]);
});

test("the line stands out from everything that lies under it (WCAG 2.2, 1.4.11)", () => {
  const grounds = ["land", "town", "green", "water", "street", "secondary", "primary", "motorway"] as const;
  for (const scheme of ["light", "dark"] as const) {
    const { line, edge } = wayColours[scheme];
    expect(contrast(line, edge)).toBeGreaterThan(3);
    for (const ground of grounds)
      expect(contrast(line, palettes[scheme][ground]), `${scheme} ${ground}`).toBeGreaterThan(3);
  }
});

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((index) => parseInt(colour.slice(index, index + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
