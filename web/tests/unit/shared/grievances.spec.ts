// Questions about a person's own data.
import { expect, test } from "vitest";
import { contactText, isFull, together, type Grievance } from "../../../src/shared/account/grievances";

const one = (id: string, status: Grievance["status"] = "open"): Grievance => ({
  id,
  kind: "access",
  status,
  text: "",
  created_at: "2026-03-14T08:30:00.000Z",
  due_at: "2026-04-13T08:30:00.000Z",
  answer: null,
  answered_at: null,
  contact: null,
});
const several = (many: number, status?: Grievance["status"]) =>
  Array.from({ length: many }, (_, number) => one(`${status}${number}`, status));

test("as many may be open as the service takes, however many are answered", () => {
  expect(isFull(several(4))).toBe(false);
  expect(isFull(several(5))).toBe(true);
  expect(isFull([...several(9, "answered"), ...several(4)])).toBe(false);
});

test("a row that moves to the next page is shown once", () => {
  const ids = together([one("c"), one("b")], [one("b"), one("a")]).map(({ id }) => id);
  expect(ids).toEqual(["c", "b", "a"]);
});

test("a contact has a name or only an address", () => {
  expect(contactText({ name: null, email: "privacy@example.com" })).toBe("privacy@example.com");
  expect(contactText({ name: "Asha Rao", email: "privacy@example.com" })).toBe("Asha Rao, privacy@example.com");
});
