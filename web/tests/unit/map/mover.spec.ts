// A marker that moves between reports.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Position } from "../../../src/shared/map/glide";
import { Mover } from "../../../src/shared/map/mover";

let now = 0;
let waiting: (() => void) | null = null;

beforeEach(() => {
  now = 1_000;
  waiting = null;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => {
    waiting = draw;
    return 1;
  });
  vi.stubGlobal("cancelAnimationFrame", () => (waiting = null));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Makes the browser draw a frame after this time. */
function frame(afterMs: number): void {
  now += afterMs;
  const draw = waiting;
  waiting = null;
  draw?.();
}
/** Returns a marker that notes where it is shown. */
const marker = (shown: number[], isStill = false) =>
  new Mover(
    ({ lat }) => shown.push(lat),
    () => isStill,
  );
const at = (lat: number): Position => ({ lat, lng: 77.6, heading: null });

test("the marker begins where it is first seen, and drives to the next place without a jump", () => {
  const shown: number[] = [];
  const mover = marker(shown);
  mover.report(at(12.97));
  expect(shown).toEqual([12.97]);
  expect(waiting).toBeNull();
  now += 3_000;
  mover.report(at(12.973));
  for (let frames = 0; frames < 40; frames += 1) frame(100);
  expect(shown.at(-1)).toBe(12.973);
  expect(waiting).toBeNull();
  const steps = shown.slice(1).map((lat, index) => lat - (shown[index] ?? lat));
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...steps)).toBeLessThan(0.000_2);
});

test("frames that follow at once are not drawn, and the last place is", () => {
  const shown: number[] = [];
  const mover = marker(shown);
  mover.report(at(12.97));
  now += 600;
  mover.report(at(12.971));
  for (let frames = 0; frames < 60; frames += 1) frame(16);
  expect(shown.length).toBeLessThan(14);
  expect(shown.at(-1)).toBe(12.971);
});

test("whoever wants nothing to move sees the marker jump, and one that ended draws no more", () => {
  const shown: number[] = [];
  const still = marker(shown, true);
  still.report(at(12.97));
  now += 3_000;
  still.report(at(12.973));
  expect(shown).toEqual([12.97, 12.973]);
  expect(waiting).toBeNull();

  const moving = marker(shown);
  moving.report(at(12.97));
  now += 3_000;
  moving.report(at(12.973));
  expect(waiting).not.toBeNull();
  moving.end();
  expect(waiting).toBeNull();
});
