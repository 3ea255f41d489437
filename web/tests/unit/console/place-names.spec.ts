// Names of points, without a service.
import { expect, test } from "vitest";
import { keyOf, PlaceNames, pointOf, type Named } from "../../../src/console/parts/place-names";

const named = (address: string): Named => ({ address, attribution: null });

/** Creates questions that wait until the test answers them. */
function desk() {
  const asked: { key: string; answer: (named: Named | null) => void; refuse: () => void }[] = [];
  const clock = { now: 0 };
  const names = new PlaceNames(
    (point) =>
      new Promise((answer, refuse) => asked.push({ key: keyOf(point), answer, refuse: () => refuse(new Error()) })),
    () => clock.now,
  );
  const told: [string, string | null][] = [];
  const find = (key: string) => names.find(key, (found) => told.push([key, found?.address ?? null]));
  return { asked, told, clock, find };
}
/** Lets answers arrive. */
const arrive = () => new Promise((resolve) => setImmediate(resolve));

const [A, B, C] = ["12.971,77.594", "12.980,77.600", "13.000,77.610"] as const;

test("neighbours share a name, and its point is where they are", () => {
  expect(keyOf({ lat: 12.97123, lng: 77.59412 })).toBe(A);
  expect(keyOf({ lat: 12.97087, lng: 77.59371 })).toBe(A);
  expect(pointOf(A)).toEqual({ lat: 12.971, lng: 77.594 });
});

test("a point is asked for once however many show it, two points at a time, and is known from then on", async () => {
  const { asked, told, find } = desk();
  for (const key of [A, A, B, C]) find(key);
  expect(asked.map(({ key }) => key)).toEqual([A, B]);
  asked[0]?.answer(named("MG Road"));
  await arrive();
  expect(asked.map(({ key }) => key)).toEqual([A, B, C]);
  find(A);
  expect(told).toEqual([
    [A, "MG Road"],
    [A, "MG Road"],
    [A, "MG Road"],
  ]);
  expect(asked).toHaveLength(3);
});

test("what went out of sight before its turn is not asked for", async () => {
  const { asked, find } = desk();
  find(A);
  find(B);
  find(C)();
  asked[0]?.answer(null);
  await arrive();
  expect(asked.map(({ key }) => key)).toEqual([A, B]);
});

test("after a refusal nobody is asked for a while, and what is on its way still arrives", async () => {
  const { asked, told, clock, find } = desk();
  for (const key of [A, B, C]) find(key);
  asked[0]?.refuse();
  await arrive();
  expect(told).toEqual([
    [A, null],
    [C, null],
  ]);
  asked[1]?.answer(named("Trinity Circle"));
  await arrive();
  expect(told.at(-1)).toEqual([B, "Trinity Circle"]);
  find(C);
  expect(told.at(-1)).toEqual([C, null]);
  expect(asked).toHaveLength(2);
  clock.now += 60_000;
  find(C);
  expect(asked.map(({ key }) => key)).toEqual([A, B, C]);
});
