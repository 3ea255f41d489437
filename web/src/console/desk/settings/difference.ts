// The differences between two objects, by the names of their fields.
export interface Difference {
  /** The field's name, with dots between the names of nested objects. */
  name: string;
  before: string | null;
  after: string | null;
}

/** Returns a value as a line of text, or null if there is none. */
function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((entry) => typeof entry !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the fields that differ, or with `all` every field of either object. */
export function differences(before: unknown, after: unknown, all = false, prefix = ""): Difference[] {
  const left = isObject(before) ? before : {};
  const right = isObject(after) ? after : {};
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => {
    const [was, is] = [left[name], right[name]];
    if (isObject(was) || isObject(is)) return differences(was, is, all, `${prefix}${name}.`);
    const difference = { name: prefix + name, before: shown(was), after: shown(is) };
    return all || difference.before !== difference.after ? [difference] : [];
  });
}
