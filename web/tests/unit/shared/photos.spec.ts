import { expect, test } from "vitest";
import { fit } from "../../../src/shared/photos/prepare";

test("pictures are made smaller and never larger", () => {
  expect(fit(4000, 3000)).toEqual({ width: 2048, height: 1536 });
  expect(fit(3000, 4000)).toEqual({ width: 1536, height: 2048 });
  expect(fit(800, 600)).toEqual({ width: 800, height: 600 });
  expect(fit(10_000, 1)).toEqual({ width: 2048, height: 1 });
});
