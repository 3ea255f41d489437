// The admins' actions, including reads.
import { actionName, sentence, withoutActor } from "../../parts/words";
import { code, person, time } from "../list/cells";
import { list } from "../list/list";
import Changes from "../settings/Changes.svelte";

/** Returns the service's code for the name of an entry shown here; other words are returned unchanged. */
const actionCode = (typed: string) =>
  typed
    .trim()
    .toLowerCase()
    .replace(/:\s*/, ".")
    .replaceAll(/[\s-]+/g, "_");

export const audit = list("/admin/audit-log", {
  title: "Audit log",
  about: "What admins did and read, the newest first.",
  empty: "Nothing with these filters.",
  filters: [
    { name: "action", label: "Action", kind: "text", hint: "Such as “Mechanic: verify”", asks: actionCode },
    {
      name: "object_type",
      label: "Kind of object",
      kind: "text",
      hint: "Such as “Mechanic profile”",
      asks: actionCode,
    },
    { name: "object_id", label: "Object", kind: "named", sought: "any" },
    { name: "actor_id", label: "Admin", kind: "named", sought: "person" },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Action", cell: (row) => actionName(row.action) },
    { title: "On", cell: (row) => sentence(row.object_type) },
    { title: "By", cell: (row) => row.actor_name ?? row.actor_email ?? withoutActor(row.after) },
    { title: "At", cell: (row) => time(row.at), numeric: true },
  ],
  heading: (row) => actionName(row.action),
  facts: (row) => [
    ["By", row.actor_id ? person(row.actor_id, row.actor_name ?? row.actor_email ?? null) : withoutActor(row.after)],
    ["Email", row.actor_email ?? null],
    ["On", sentence(row.object_type)],
    ["Id", code(row.object_id ?? null)],
    ["At", time(row.at)],
  ],
  more: Changes,
});
