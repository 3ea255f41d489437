// Dates as people read them.
import { expect, test } from "vitest";
import { date } from "../../../src/shared/text/format";

test("a day is of the zone that is named", () => {
  const evening = "2026-11-01T20:00:00Z";
  expect(date(evening, "UTC")).toBe("1 Nov 2026");
  expect(date(evening, "Asia/Kolkata")).toBe("2 Nov 2026");
});
