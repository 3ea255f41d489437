// The meaning of the lines of the status.
import { expect, test } from "vitest";
import type { components } from "../../../src/shared/api/schema";
import { headline, subject, worstFirst } from "../../../src/console/desk/servers/status";

type Line = components["schemas"]["StatusLine"];

const line = (about: Line["about"], state: Line["state"]): Line => ({
  about,
  state,
  text: "",
  next: null,
  runbook: null,
});

test("the worst lines come first, the others in the order of the service", () => {
  const lines = [line("database", "ok"), line("disk", "look"), line("engine", "act"), line("clock", "look")];
  expect(worstFirst(lines).map(({ about }) => about)).toEqual(["engine", "disk", "clock", "database"]);
});

test("a sentence says how much there is to do", () => {
  const at = "2026-03-14T08:31:00.000Z";
  const said = (state: Line["state"], ...lines: Line[]) => headline({ at, state, lines }).text;
  expect(said("ok", line("database", "ok"))).toBe("All is well.");
  expect(said("look", line("disk", "look"))).toBe("1 thing to look at.");
  expect(said("act", line("disk", "act"), line("engine", "act"), line("clock", "look"))).toBe(
    "2 things to act on now.",
  );
});

test("a line is named in words", () => {
  expect(subject(line("backup_test", "ok"))).toBe("Backup test");
});
