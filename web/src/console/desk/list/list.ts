// The declaration of a list page: where its rows come from, what it shows of them, and what can be done with one.
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
  /** Left out where there is little room. */
  extra?: boolean;
}

export interface Filter {
  /** The parameter of the route, and of the page's address. */
  name: string;
  label: string;
  kind: "choice" | "text" | "date" | "named";
  /** What is chosen by its name, with kind `named`; the route is asked for its id. */
  sought?: Sought;
  options?: [value: string, label: string][];
  /** Applies unless the address says something else; `all` there lifts it. */
  initial?: string;
  hint?: string;
  /** Fewer characters are not sent. */
  least?: number;
  /** What the route is asked instead of what was typed. */
  asks?: (typed: string) => string;
}

export interface List<R> {
  source: ListPath;
  title: string;
  /** What it is for, in a sentence or two. */
  about: string;
  /** What is said when nothing matches. */
  empty: string;
  filters?: Filter[];
  id: (row: R) => string;
  columns: Column<R>[];
  /** The heading of the panel beside the table. */
  heading: (row: R) => string;
  facts: (row: R) => Fact[];
  /** More in the panel than facts. */
  more?: Component<{ row: R }> | Component;
  actions?: Action<R>[];
  /** What concerns the whole list, such as making something new. */
  listActions?: Action<null>[];
  /** The page of a row. */
  page?: (row: R) => string;
  hasCsv?: boolean;
  /** Counts in /admin/live; another number means that the list has changed. */
  waiting?: (keyof Schemas["Waiting"])[];
  mark?: (row: R) => "bad" | "warn" | null;
}

export function list<P extends ListPath>(source: P, declared: Omit<List<RowOf<P>>, "source">): List<RowOf<P>> {
  return { source, ...declared };
}

export const PAGE_SIZE = 50;
/** Value of a filter that lifts its initial one. */
export const ALL = "all";

/** The values of the filters that the address asks for. */
export function filterValues(filters: Filter[], query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(filters.map((filter) => [filter.name, query.get(filter.name) ?? filter.initial ?? ""]));
}

/** What the route is asked. A date is the beginning of that day here. */
export function routeQuery(filters: Filter[], values: Record<string, string>): Record<string, string> {
  const asked: Record<string, string> = {};
  for (const { name, kind, least = 1, asks } of filters) {
    const value = (values[name] ?? "").trim();
    if (value === "" || value === ALL || value.length < least) continue;
    asked[name] = kind === "date" ? startOfDay(value, name) : asks ? asks(value) : value;
  }
  return asked;
}

/** `to` is a last day that is included: the route takes the first moment after it. */
function startOfDay(day: string, name: string): string {
  const at = new Date(`${day}T00:00:00`);
  if (name === "to") at.setDate(at.getDate() + 1);
  return at.toISOString();
}

/** The row to select after a change: the same one, or the one that took its place. */
export function reselect(before: string[], selected: string | null, after: string[]): string | null {
  if (selected !== null && after.includes(selected)) return selected;
  const place = selected === null ? 0 : Math.max(0, before.indexOf(selected));
  return after[Math.min(place, after.length - 1)] ?? null;
}
