import { expect, test } from "vitest";
import { glide, isOver, positionAt, type Position } from "../../../src/shared/map/glide";

const at = (lat: number, lng: number, heading: number | null = null): Position => ({ lat, lng, heading });

test("the first report is shown where it is, without a movement", () => {
  const first = glide(null, at(12.97, 77.6), 1000);
  expect(positionAt(first, 1000)).toEqual(at(12.97, 77.6));
  expect(isOver(first, 1000)).toBe(true);
});

test("between two reports the marker takes as long as lay between them, then stops", () => {
  const first = glide(null, at(12.97, 77.6), 0);
  const second = glide(first, at(12.972, 77.602), 4000);
  expect(positionAt(second, 4000)).toEqual(at(12.97, 77.6));
  const half = positionAt(second, 6000);
  expect(half.lat).toBeCloseTo(12.971, 9);
  expect(half.lng).toBeCloseTo(77.601, 9);
  expect(isOver(second, 7999)).toBe(false);
  for (const later of [8000, 9000, 100_000]) expect(positionAt(second, later)).toEqual(at(12.972, 77.602));
  expect(isOver(second, 8000)).toBe(true);
});

test("a report that comes early goes on from where the marker is shown", () => {
  const second = glide(glide(null, at(12.97, 77.6), 0), at(12.972, 77.6), 4000);
  const third = glide(second, at(12.974, 77.6), 5000);
  expect(positionAt(third, 5000).lat).toBeCloseTo(12.9705, 9);
  let last = 0;
  for (let now = 5000; now <= 6000; now += 100) {
    const { lat } = positionAt(third, now);
    expect(lat).toBeGreaterThan(last);
    last = lat;
  }
  expect(last).toBe(12.974);
});

test("after a long silence, over a long way, or for people who want no motion, it is there at once", () => {
  const first = glide(null, at(12.97, 77.6), 0);
  expect(positionAt(glide(first, at(12.972, 77.6), 60_000), 60_000).lat).toBe(12.972);
  expect(positionAt(glide(first, at(12.99, 77.6), 4000), 4000).lat).toBe(12.99);
  expect(positionAt(glide(first, at(12.972, 77.6), 4000, true), 4000).lat).toBe(12.972);
});

test("the heading turns the shorter way", () => {
  const second = glide(glide(null, at(12.97, 77.6, 350), 0), at(12.9701, 77.6, 20), 1000);
  expect(positionAt(second, 1500).heading).toBeCloseTo(5, 6);
  const back = glide(glide(null, at(12.97, 77.6, 20), 0), at(12.9701, 77.6, 350), 1000);
  expect(positionAt(back, 1500).heading).toBeCloseTo(5, 6);
  const unknown = glide(glide(null, at(12.97, 77.6, 20), 0), at(12.9701, 77.6), 1000);
  expect(positionAt(unknown, 1500).heading).toBeNull();
});
