import { describe, expect, it } from "vitest";
import { stateOf } from "../../../src/customer/where/state";

describe("a request for a place", () => {
  it("is told by the status of an answer", () => {
    const cases: [number | null, string][] = [
      [200, "asked"],
      [404, "invalid"],
      [422, "invalid"],
      [410, "ended"],
      [429, "offline"],
      [503, "offline"],
      [null, "offline"],
    ];
    for (const [status, state] of cases) expect(stateOf(status), String(status)).toBe(state);
  });
});
