// The rules of place search, and of a pin's address.
import { expect, test } from "vitest";
import { afterMove, filled, isTyped, moved, query, rest } from "../../../src/shared/places/rules";

test("what is too short is not asked, and an app asks later by itself than a person", () => {
  expect(query("  mg   road ", true)).toBe("mg road");
  expect(query("mg", true)).toBeNull();
  expect(query("mg", false)).toBe("mg");
  expect(query(" m ", false)).toBeNull();
  expect(query("", false)).toBeNull();
});

test("the arrow keys lead round the list", () => {
  expect(moved("ArrowDown", -1, 3)).toBe(0);
  expect(moved("ArrowDown", 2, 3)).toBe(0);
  expect(moved("ArrowUp", -1, 3)).toBe(2);
  expect(moved("ArrowUp", 0, 3)).toBe(2);
  expect(moved("ArrowUp", 2, 3)).toBe(1);
  expect(moved("ArrowDown", -1, 0)).toBeNull();
  expect(moved("Home", 1, 3)).toBeNull();
});

test("an option says nothing twice", () => {
  const name = "Trinity Circle";
  expect(rest({ name, address: "Trinity Circle, Ashok Nagar, Bengaluru" })).toBe("Ashok Nagar, Bengaluru");
  expect(rest({ name, address: name })).toBe("");
  expect(rest({ name, address: "MG Road" })).toBe("MG Road");
});

test("what the service found is replaced, what somebody typed is not", () => {
  const empty = { address: "", foundAddress: "" };
  const found = { address: "MG Road", foundAddress: "MG Road" };
  const typed = { address: "Blue gate", foundAddress: "MG Road" };
  expect([empty, found, typed].map(isTyped)).toEqual([false, false, true]);
  expect([empty, found].map((line) => filled(line, "Church Street"))).toEqual([
    { address: "Church Street", foundAddress: "Church Street" },
    { address: "Church Street", foundAddress: "Church Street" },
  ]);
  expect(filled(typed, "Church Street")).toEqual({});
  expect(afterMove(found)).toEqual(empty);
  expect(afterMove(typed)).toEqual({});
});
