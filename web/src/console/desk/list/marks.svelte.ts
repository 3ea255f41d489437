// The marked rows of a list, for actions on several rows at once.
import { desks } from "../../shell/desks.svelte";
import type { Action } from "../actions/action";
import type { List } from "./list";

export class Marks<R> {
  /** The actions on several rows; without any, no row can be marked. */
  readonly actions: Action<R>[];
  readonly #id: (row: R) => string;
  #ids: ReadonlySet<string> = $state.raw(new Set());

  constructor({ actions = [], id }: List<R>) {
    this.actions = actions.filter(({ form, many, desk }) => form && many && (!desk || desks.has(desk)));
    this.#id = id;
  }

  /** Returns whether any action applies to the row. */
  can = (row: R): boolean => this.actions.some(({ when }) => !when || when(row));

  has = (row: R): boolean => this.#ids.has(this.#id(row)) && this.can(row);

  toggle = (row: R): void => {
    const ids = new Set(this.#ids);
    if (!ids.delete(this.#id(row))) ids.add(this.#id(row));
    this.#ids = ids;
  };

  /** Marks all rows that can be marked, or unmarks all if all are marked. */
  toggleAll = (rows: R[]): void => {
    const possible = rows.filter(this.can);
    this.#ids = new Set(possible.every(this.has) ? [] : possible.map(this.#id));
  };

  clear = (): void => {
    this.#ids = new Set();
  };
}
