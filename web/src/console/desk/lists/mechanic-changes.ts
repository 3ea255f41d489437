// Verified mechanics who ask to serve something else.
import { categories } from "../../parts/categories.svelte";
import { age, badge, DAY_S, mechanic, time } from "../list/cells";
import { list, type RowOf } from "../list/list";
import { approveChange, rejectChange } from "../people/actions";
import { vehicles } from "./mechanic";

type Change = RowOf<"/admin/mechanic-changes">;
type Ids = "service_category_ids" | "served_service_category_ids";
type Types = "vehicle_types" | "served_vehicle_types";

export const mechanicChanges = list("/admin/mechanic-changes", {
  title: "Mechanic changes",
  about: "Verified mechanics who ask to serve something else. They serve what they did before until you decide.",
  empty: "No changes wait.",
  waiting: ["mechanic_changes"],
  id: (row) => row.id,
  columns: [
    { title: "Mechanic", cell: (row) => row.mechanic_name ?? "No name" },
    { title: "Would also serve", cell: (row) => added(row) },
    { title: "Would no longer serve", cell: (row) => removed(row) },
    { title: "Waits", cell: (row) => age(row.requested_at, DAY_S, 3 * DAY_S), numeric: true },
  ],
  heading: (row) => row.mechanic_name ?? "No name",
  facts: (row) => [
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Serves now", [categories.names(row.served_service_category_ids), vehicles(row.served_vehicle_types).join(", ")]],
    ["Asks for", [categories.names(row.service_category_ids), vehicles(row.vehicle_types).join(", ")]],
    ["New", added(row)],
    ["Dropped", removed(row)],
    ["Asked", time(row.requested_at)],
  ],
  actions: [approveChange, rejectChange],
});

function added(row: Change) {
  return gain(row, "service_category_ids", "served_service_category_ids", "vehicle_types", "served_vehicle_types").map(
    (text) => badge(text, "good"),
  );
}

function removed(row: Change) {
  return gain(row, "served_service_category_ids", "service_category_ids", "served_vehicle_types", "vehicle_types").map(
    (text) => badge(text, "bad"),
  );
}

/** Returns in words the entries that only the first of each pair has. */
function gain(row: Change, ids: Ids, otherIds: Ids, kinds: Types, otherKinds: Types): string[] {
  const more = row[ids].filter((id) => !row[otherIds].includes(id)).map((id) => categories.names([id]));
  return [...more, ...vehicles(row[kinds].filter((type) => !row[otherKinds].includes(type)))];
}
