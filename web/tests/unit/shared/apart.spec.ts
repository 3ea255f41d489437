import { expect, test } from "vitest";
import { Apart, APART_MS } from "../../../src/shared/ui/apart";

test("of presses that follow each other too soon the first one counts", () => {
  const apart = new Apart();
  const presses = [5, 5 + APART_MS - 1, 4 + 2 * APART_MS, 4 + 3 * APART_MS];
  expect(presses.map((timeStamp) => apart.takes({ timeStamp }))).toEqual([true, false, true, true]);
});

test("a finger that goes on pressing takes nothing more", () => {
  const apart = new Apart();
  const presses = Array.from({ length: 10 }, (_, index) => index * (APART_MS / 2));
  expect(presses.filter((timeStamp) => apart.takes({ timeStamp }))).toEqual([0]);
});
