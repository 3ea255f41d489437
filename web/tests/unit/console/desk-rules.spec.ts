// The desk's rules, without a browser.
import { expect, test } from "vitest";
import { given, missing, parts, toggled, type FormField } from "../../../src/console/desk/actions/action";
import { seconds, share } from "../../../src/console/desk/figures/numbers";
import { askedDays, hourSpan, lastDays, lastWeek } from "../../../src/console/desk/figures/period";
import { inWords } from "../../../src/console/desk/figures/prices";
import { zoomed, ZOOMS } from "../../../src/console/desk/files/zoom";
import { inShort } from "../../../src/console/desk/list/cells";
import { filterValues, reselect, routeQuery, type Filter } from "../../../src/console/desk/list/list";
import { differences as nameDifferences } from "../../../src/console/desk/money/names";
import { outstanding, settlementsOf, shares } from "../../../src/console/desk/money/outcome";
import { elsewhere, pagesFor } from "../../../src/console/pages";
import { allDesks, deskList, type Desk } from "../../../src/console/parts/desk";
import { actionName } from "../../../src/console/parts/words";
import { differences } from "../../../src/console/desk/settings/difference";

const filters: Filter[] = [
  { name: "status", label: "Status", kind: "choice", initial: "open", options: [["open", "Open"]] },
  { name: "q", label: "Name", kind: "text", least: 2 },
  { name: "to", label: "To", kind: "date" },
];
const asked = (query: string) => routeQuery(filters, filterValues(filters, new URLSearchParams(query)));

test("a filter has its first value until the address says something else", () => {
  expect(asked("")).toEqual({ status: "open" });
  expect(asked("status=all")).toEqual({});
  expect(asked("status=resolved&q=me")).toEqual({ status: "resolved", q: "me" });
});

test("text that is too short to search for is not sent, and a last day ends with its midnight", () => {
  expect(asked("q=m")).toEqual({ status: "open" });
  expect(asked("to=2026-03-14")["to"]).toBe(new Date(2026, 2, 15).toISOString());
});

test("a refreshed list keeps its row, or takes the one in its place", () => {
  expect(reselect(["a", "b", "c"], "b", ["x", "b", "c"])).toBe("b");
  expect(reselect(["a", "b", "c"], "b", ["a", "c"])).toBe("c");
  expect(reselect(["a", "b"], "b", ["a"])).toBe("a");
  expect(reselect(["a"], "a", [])).toBeNull();
  expect(reselect([], null, ["a", "b"])).toBe("a");
});

test("names are compared without case, order, honorifics and full initials", () => {
  const marked = (name: string, other: string) =>
    nameDifferences(name, other)
      .filter((part) => part.differs)
      .map((part) => part.text);
  expect(marked("RAVI KUMAR", "Kumar Ravi")).toEqual([]);
  expect(marked("Mr. R. Kumar", "Ravi Kumar")).toEqual([]);
  expect(marked("José Antony", "Jose Antony")).toEqual([]);
  expect(marked("Sunita Kumar", "Ravi Kumar")).toEqual(["Sunita"]);
});

test("a dispute's outcome says what goes back and what is still due", () => {
  expect(shares("customer", 299, 299, null)).toEqual({ price: 0, refund: 299, due: 0 });
  expect(shares("mechanic", 299, 0, null)).toEqual({ price: 299, refund: 0, due: 299 });
  expect(shares("split", 299, 299, 99.5)).toEqual({ price: 199.5, refund: 99.5, due: 0 });
  expect(shares("split", 299, 100, 99)).toEqual({ price: 200, refund: 0, due: 100 });
  expect([outstanding(299, 0), outstanding(299, 299), outstanding(0, 699)]).toEqual([299, 0, 0]);
  for (const amount of [null, 0, -1, 299, 300, Number.NaN]) expect(shares("split", 299, 299, amount)).toBeNull();
});

test("what differs between two versions is named, nested fields too", () => {
  expect(
    differences({ a: 1, same: [1, 2], in: { b: true } }, { a: 2, same: [1, 2], in: { b: false }, c: "new" }),
  ).toEqual([
    { name: "a", before: "1", after: "2" },
    { name: "in.b", before: "true", after: "false" },
    { name: "c", before: null, after: "new" },
  ]);
});

test("a count is a whole number above zero: anything else would be sent as none", () => {
  const fields: FormField[] = [{ name: "most", label: "At once", kind: "count", optional: true }];
  for (const odd of ["three", "0", "-1", "1.5", "1e3"])
    expect(missing(fields, { most: odd })).toEqual({ most: "A whole number above zero." });
  for (const fine of ["", "12"]) expect(missing(fields, { most: fine })).toEqual({});
});

test("a form says what is missing before it is sent, and sends nothing empty", () => {
  const fields: FormField[] = [
    { name: "amount", label: "Amount", kind: "amount", optional: true },
    { name: "reason", label: "Reason", kind: "long", least: 3, most: 10 },
  ];
  expect(missing(fields, { amount: "", reason: " " })).toEqual({ reason: "Fill this in." });
  expect(Object.keys(missing(fields, { amount: "-1", reason: "no" }))).toEqual(["amount", "reason"]);
  expect(Object.keys(missing(fields, { amount: "1.234", reason: "much too long" }))).toEqual(["amount", "reason"]);
  expect(missing(fields, { amount: "1.5", reason: "because" })).toEqual({});
  expect(given({ amount: " ", reason: "because" })).toEqual({ reason: "because" });
});

test("figures are of seven days unless the address says otherwise, and never backwards", () => {
  const now = new Date(2026, 2, 14, 12);
  expect(lastDays(7, now)).toEqual({ from: "2026-03-08", to: "2026-03-14" });
  expect(askedDays(new URLSearchParams("from=2026-03-20&to=2026-03-10"), now)).toEqual({
    from: "2026-03-10",
    to: "2026-03-20",
  });
  expect(askedDays(new URLSearchParams("from=yesterday"), now)).toEqual(lastDays(7, now));
});

test("settlements are run for the last whole week of local days, from its first minute to its last", () => {
  for (const now of [new Date(2026, 2, 9, 0, 1), new Date(2026, 2, 12, 12), new Date(2026, 2, 15, 23, 59)])
    expect(lastWeek(now)).toEqual({ monday: "2026-03-02", next: "2026-03-09" });
  expect(lastWeek(new Date(2027, 0, 3, 12))).toEqual({ monday: "2026-12-21", next: "2026-12-28" });
});

test("admins see the pages that they may open", () => {
  const titles = (role: string | null) => pagesFor(role, allDesks).map(({ title }) => title);
  expect(titles("super_admin")).toEqual(expect.arrayContaining(["Admins", "Invites", "Audit log"]));
  expect(titles("admin")).toContain("Audit log");
  expect(titles("admin").filter((title) => ["Admins", "Invites"].includes(title))).toEqual([]);
});

test("each page has a key of its own", () => {
  const keys = pagesFor("super_admin", allDesks).map(({ key }) => key);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test("an admin at one desk sees its pages, and a path below another's page is elsewhere", () => {
  const titles = (...own: Desk[]) => pagesFor("admin", own).map(({ title }) => title);
  expect(titles("money")).toEqual(expect.arrayContaining(["Jobs", "Disputes", "Payments", "People", "Figures"]));
  for (const other of ["Live map", "New job", "Ratings", "Audit log", "Dispatch settings", "Servers"])
    expect(titles("money")).not.toContain(other);
  expect(titles("settings")).toEqual(expect.arrayContaining(["Dispatch settings", "Roster", "Servers"]));
  expect(titles("settings")).not.toContain("Jobs");
  const other = (path: string, ...own: Desk[]) => elsewhere(path, "admin", own)?.title;
  expect(other("/disputes/17", "dispatch")).toBe("Disputes");
  expect(other("/jobs/17", "dispatch")).toBeUndefined();
  expect(other("/jobs/new", "money")).toBe("New job");
  expect(other("/account", "settings")).toBeUndefined();
  expect(elsewhere("/", "super_admin", ["money"])).toBeUndefined();
  expect(elsewhere("/payments", "admin", null)).toBeUndefined();
  expect([deskList([...allDesks]), deskList(["money", "people"])]).toEqual(["All", "Money, People"]);
});

test("a choice of several is written as one text", () => {
  const fields: FormField[] = [{ name: "desks", label: "Desks", kind: "several" }];
  expect(missing(fields, { desks: "" })).toEqual({ desks: "Choose at least one." });
  expect(toggled(toggled("", "a"), "b")).toBe("a,b");
  expect([toggled("a,b", "a"), parts("a,b"), parts(undefined)]).toEqual(["b", ["a", "b"], []]);
});

test("figures that are missing are a dash, short times are exact, and the last hour of a day ends with it", () => {
  expect([share(null), seconds(undefined), seconds(89.6)]).toEqual(["–", "–", "90 s"]);
  expect([hourSpan(8), hourSpan(23)]).toEqual(["08–09 h", "23–00 h"]);
});

test("a picture is never smaller than its frame, nor larger than the largest zoom", () => {
  expect([zoomed(0, -1), zoomed(0, 1), zoomed(ZOOMS.length - 1, 1)]).toEqual([0, 1, ZOOMS.length - 1]);
});

test("a run of settlements that made none does not say that some were made", () => {
  expect(settlementsOf(0)).toContain("nothing to settle");
  expect([settlementsOf(1), settlementsOf(12)]).toEqual([
    "This period has 1 settlement",
    "This period has 12 settlements",
  ]);
});

test("prices and actions are said as people say them", () => {
  const entry = { mechanics: 4, free: 1, load: 1, one_more_saves_per_hour: 0.8 } as Parameters<typeof inWords>[0];
  expect(inWords(entry)).toContain("One more would save about 1 job an hour.");
  expect(inWords({ ...entry, one_more_saves_per_hour: 0.4 })).toContain("one job every 3 hours");
  expect(inWords({ ...entry, one_more_saves_per_hour: 0.05 })).toContain("one job every 20 hours");
  expect(actionName("list.read")).toBe("Looked at a list");
  expect(actionName("job.waive_fee")).toBe("Job: waive fee");
});

test("what a mechanic serves is one line, however much it is", () => {
  expect(inShort(["Flat tyre"], 2)).toBe("Flat tyre");
  expect(inShort(["Flat tyre", "Dead battery"], 2)).toBe("Flat tyre, Dead battery");
  expect(inShort(["Flat tyre", "Dead battery", "Towing", "Fuel"], 2)).toBe("Flat tyre, Dead battery and 2 more");
});
