// The line items of a job. Every change increases an item's version, so the version tells which is newer.
import type { components } from "../api/frames";

export type LineItem = components["schemas"]["LineItem"];

/** Returns the items with one that was proposed or changed, or without it if it was withdrawn. */
export function withItem(items: readonly LineItem[], item: LineItem): readonly LineItem[] {
  const known = items.find(({ id }) => id === item.id);
  if (known && known.version >= item.version) return items;
  return inOrder([...items.filter(({ id }) => id !== item.id), item]);
}

/** Returns the items of a requested list. Those in `changed` have changed since, so the list may be older. */
export function withList(
  items: readonly LineItem[],
  list: readonly LineItem[],
  changed: readonly string[],
): readonly LineItem[] {
  const hasChanged = ({ id }: LineItem) => changed.includes(id);
  return inOrder([...list.filter((item) => !hasChanged(item)), ...items.filter(hasChanged)]);
}

function inOrder(items: readonly LineItem[]): readonly LineItem[] {
  return items
    .filter(({ status }) => status !== "withdrawn")
    .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
}

/** Returns the items that the customer has yet to decide on. */
export function undecided({ items }: { readonly items: readonly LineItem[] }): readonly LineItem[] {
  return items.filter(({ status }) => status === "proposed");
}
