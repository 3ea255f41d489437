// The declaration of a list page: the source of its rows, their columns, and the actions on a row.
import type { Component } from "svelte";
import type { Schemas } from "$shared/api/client";
import type { paths } from "$shared/api/schema";
import type { Action } from "../actions/action";
import type { Sought } from "../../shell/search";
import type { Cell } from "./cells";

type Answer<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer B } } } };
}
  ? B
  : never;
/** Routes that answer with a page of rows. */
export type ListPath = {
  [P in keyof paths]: Answer<P> extends { data: unknown[]; total: number } ? P : never;
}[keyof paths];
export type RowOf<P extends ListPath> = Answer<P> extends { data: (infer R)[] } ? R : never;

export type Fact = [label: string, cell: Cell];

export interface Column<R> {
  title: string;
  cell: (row: R) => Cell;
  numeric?: boolean;
  /** Whether it is left out where there is little room. */
  extra?: boolean;
}

export interface Filter {
  /** The parameter's name in the route and in the page's address. */
  name: string;
  label: string;
  kind: "choice" | "text" | "date" | "named";
  /** The kind of object that is chosen by name, with kind `named`; the route gets its id. */
  sought?: Sought;
  options?: [value: string, label: string][];
  /** Applies unless the address has another value; `all` there lifts it. */
  initial?: string;
  hint?: string;
  /** The minimum number of characters; shorter texts are not sent. */
  least?: number;
  /** Returns the route's value for typed text. */
  asks?: (typed: string) => string;
}

export interface List<R> {
  source: ListPath;
  title: string;
  /** The purpose of the list, in a sentence or two. */
  about: string;
  /** The text that is shown if nothing matches. */
  empty: string;
  filters?: Filter[];
  id: (row: R) => string;
  columns: Column<R>[];
  /** The heading of the panel next to the table. */
  heading: (row: R) => string;
  facts: (row: R) => Fact[];
  /** Content of the panel in addition to facts. */
  more?: Component<{ row: R }> | Component;
  actions?: Action<R>[];
  /** Actions on the whole list, such as creating an object. */
  listActions?: Action<null>[];
  /** Returns the address of a row's page. */
  page?: (row: R) => string;
  hasCsv?: boolean;
  /** Sums up the rows of the shown page. */
  sums?: (rows: R[]) => Fact[];
  /** Counts in /admin/live; a changed number means that the list has changed. */
  waiting?: (keyof Schemas["Waiting"])[];
  mark?: (row: R) => "bad" | "warn" | null;
}

export function list<P extends ListPath>(source: P, declared: Omit<List<RowOf<P>>, "source">): List<RowOf<P>> {
  return { source, ...declared };
}

export const PAGE_SIZE = 50;
/** The value of a filter that lifts its initial one. */
export const ALL = "all";

/** Returns the values of the filters that the address has. */
export function filterValues(filters: Filter[], query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(filters.map((filter) => [filter.name, query.get(filter.name) ?? filter.initial ?? ""]));
}

/** Returns the route's query. A date means the beginning of that local day. */
export function routeQuery(filters: Filter[], values: Record<string, string>): Record<string, string> {
  const asked: Record<string, string> = {};
  for (const { name, kind, least = 1, asks } of filters) {
    const value = (values[name] ?? "").trim();
    if (value === "" || value === ALL || value.length < least) continue;
    asked[name] = kind === "date" ? startOfDay(value, name) : asks ? asks(value) : value;
  }
  return asked;
}

/** Returns the moment of a day; `to` is an included last day, and the route takes the first moment after it. */
function startOfDay(day: string, name: string): string {
  const at = new Date(`${day}T00:00:00`);
  if (name === "to") at.setDate(at.getDate() + 1);
  return at.toISOString();
}

/** Returns the row to select after a change: the same one, or the row that took its place. */
export function reselect(before: string[], selected: string | null, after: string[]): string | null {
  if (selected !== null && after.includes(selected)) return selected;
  const place = selected === null ? 0 : Math.max(0, before.indexOf(selected));
  return after[Math.min(place, after.length - 1)] ?? null;
}
