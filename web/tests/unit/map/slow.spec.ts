// The connections that are too slow for a map.
import { expect, test } from "vitest";
import { isSlow } from "../../../src/shared/map/slow";

test("a map waits on networks slower than 4G, and where the person asked for little data", () => {
  for (const effectiveType of ["slow-2g", "2g", "3g"]) expect(isSlow({ effectiveType }), effectiveType).toBe(true);
  expect(isSlow({ effectiveType: "4g", saveData: true })).toBe(true);
  expect(isSlow({ effectiveType: "4g", saveData: false })).toBe(false);
});

test("a browser that tells nothing of its network is taken for a fast one", () => {
  expect(isSlow(undefined)).toBe(false);
  expect(isSlow({})).toBe(false);
});
