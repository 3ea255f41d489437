// Waiting positions: numbered once, kept within a limit, sent again until the service has answered each.
import { expect, test } from "vitest";
import {
  add,
  batch,
  BATCH,
  discard,
  emptyQueue,
  metresBetween,
  restored,
  settle,
  type Fix,
  type Queue,
} from "../../../src/mechanic/tracking/queue";

const START = Date.parse("2026-03-14T08:00:00Z");

function fix(index: number, change: Partial<Fix> = {}): Fix {
  return {
    lat: 12.97 + index * 0.0001,
    lng: 77.59,
    accuracyM: 8,
    speedMps: 6.04,
    heading: 0,
    at: START + index * 3000,
    ...change,
  };
}

/** `turn`: every point is off the straight line. */
function filled(count: number, options: { most?: number; turn?: boolean } = {}): Queue {
  let queue = emptyQueue();
  for (let index = 0; index < count; index += 1) {
    queue = add(queue, fix(index, options.turn ? { lng: 77.59 + (index % 2) * 0.001 } : {}), 0, options.most).queue;
  }
  return queue;
}

test("each point gets the next number, also after a restart", () => {
  const queue = filled(3);
  expect(queue.waiting.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  const after = add(restored(queue.waiting, 2), fix(3), 0).queue;
  expect(after.waiting.at(-1)?.seq).toBe(4);
  // All of them were sent: numbering continues.
  expect(add(restored([], 40), fix(4), 0).point.seq).toBe(40);
});

test("points that were kept in any order are sent in the order in which they were recorded", () => {
  const points = [...filled(5).waiting].reverse();
  expect(restored(points, 1).waiting.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

test("times are by the service's clock, and stay as they are once recorded", () => {
  const { queue, point } = add(emptyQueue(), fix(0), -90_000);
  expect(point.recorded_at).toBe("2026-03-14T07:58:30.000Z");
  expect(batch(add(queue, fix(1), 5000).queue)[0]?.recorded_at).toBe("2026-03-14T07:58:30.000Z");
});

test("what the service would refuse is left out or cut, so that one odd reading spoils no others", () => {
  const { point } = add(emptyQueue(), fix(0, { accuracyM: 5e6, speedMps: Number.NaN, heading: -90 }), 0);
  expect(point).toMatchObject({ accuracy_m: 100_000, speed_mps: null, heading: 270 });
  expect(add(emptyQueue(), fix(0, { heading: null, speedMps: -1 }), 0).point).toMatchObject({
    heading: null,
    speed_mps: null,
  });
});

test("a batch has the newest point and the oldest ones, at most a hundred", () => {
  const queue = filled(250);
  const first = batch(queue);
  expect(first).toHaveLength(BATCH);
  expect(first.at(-1)?.seq).toBe(250);
  expect(first.slice(0, -1).map(({ seq }) => seq)).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));
  expect(batch(filled(1)).map(({ seq }) => seq)).toEqual([1]);
  expect(batch(emptyQueue())).toEqual([]);
});

test("an answer drops what it is about: batches follow until nothing waits, each point sent once", () => {
  let queue = filled(250);
  const sent: number[] = [];
  while (queue.waiting.length > 0) {
    const points = batch(queue);
    sent.push(...points.map(({ seq }) => seq));
    // Meanwhile the phone records more.
    if (sent.length < 200) queue = add(queue, fix(1000 + sent.length), 0).queue;
    queue = settle(queue, points, { rejected: [] });
  }
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.length).toBe(queue.next - 1);
});

test("what the service had no time for is sent again, what is too old is not", () => {
  const queue = filled(3);
  const after = settle(queue, queue.waiting, {
    rejected: [
      { seq: 1, reason: "too_old" },
      { seq: 2, reason: "superseded" },
      { seq: 3, reason: "recorded_in_the_future" },
    ],
  });
  expect(after.waiting.map(({ seq }) => seq)).toEqual([2]);
});

test("an answer that was lost changes nothing: the same points go again", () => {
  const queue = filled(4);
  const first = batch(queue);
  expect(batch(add(queue, fix(4), 0).queue).slice(0, 4)).toEqual(first);
});

test("invalid points go alone if the refusal names them, else the whole batch does", () => {
  const queue = filled(3);
  expect(discard(queue, queue.waiting, { "points[1].lat": ["too far north"] }).waiting.map(({ seq }) => seq)).toEqual([
    1, 3,
  ]);
  expect(discard(queue, queue.waiting, { body: ["no"] }).waiting).toEqual([]);
});

test("there is a limit: points on a straight way go first", () => {
  let queue = emptyQueue();
  const dropped: number[] = [];
  for (let index = 0; index < 101; index += 1) {
    // At point 11 the mechanic left the line and returned: it says more than the others.
    const added = add(queue, fix(index, index === 10 ? { lng: 77.592 } : {}), 0, 100);
    dropped.push(...added.dropped);
    queue = added.queue;
  }
  expect(queue.waiting.length).toBeLessThanOrEqual(100);
  expect(dropped.length).toBeGreaterThan(0);
  expect(dropped).not.toContain(1);
  expect(dropped).not.toContain(11);
  expect(Math.max(...dropped)).toBeLessThanOrEqual(50);
  expect(queue.waiting.length + dropped.length).toBe(101);
});

test("however long the network is away, the limit holds, the way's beginning and its newest part stay", () => {
  const queue = filled(2000, { most: 100, turn: true });
  expect(queue.waiting.length).toBeLessThanOrEqual(100);
  expect(queue.waiting[0]?.seq).toBe(1);
  expect(queue.waiting.slice(-40).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 40 }, (_, index) => 1961 + index),
  );
  const gaps = queue.waiting.slice(1).map((point, index) => point.seq - (queue.waiting[index]?.seq ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(0);
});

test("distances are those on a globe", () => {
  expect(metresBetween({ lat: 12.97, lng: 77.59 }, { lat: 12.97, lng: 77.59 })).toBe(0);
  expect(metresBetween({ lat: 0, lng: 0 }, { lat: 1, lng: 0 })).toBeCloseTo(111_195, -1);
  expect(metresBetween({ lat: 60, lng: 179.5 }, { lat: 60, lng: -179.5 })).toBeCloseTo(55_597, -2);
});
