// The time left for an answer.
import { expect, test } from "vitest";
import { due } from "../../../src/console/desk/people/grievance";

const NOW = Date.parse("2026-03-14T08:30:00.000Z");
const row = (due_at: string, done_at: string | null = null) => ({ due_at, done_at });

test("a day that comes near is worth a look, and one that is over is bad", () => {
  expect(due(row("2026-04-13T08:30:00.000Z"), NOW)).toEqual({ text: "Due in 30 days", tone: "plain" });
  expect(due(row("2026-03-17T08:30:01.000Z"), NOW).tone).toBe("plain");
  expect(due(row("2026-03-17T08:30:00.000Z"), NOW)).toEqual({ text: "Due in 3 days", tone: "warn" });
  expect(due(row("2026-03-15T09:30:00.000Z"), NOW).text).toBe("Due in 1 day");
  expect(due(row("2026-03-14T09:30:00.000Z"), NOW).text).toBe("Due in less than a day");
  expect(due(row("2026-03-14T08:29:00.000Z"), NOW)).toEqual({ text: "Overdue by less than a day", tone: "bad" });
  expect(due(row("2026-03-12T08:29:00.000Z"), NOW)).toEqual({ text: "Overdue by 2 days", tone: "bad" });
});

test("what is answered is due no more", () => {
  expect(due(row("2026-03-12T08:29:00.000Z", "2026-03-13T08:29:00.000Z"), NOW)).toEqual({
    text: "Done",
    tone: "plain",
  });
});
