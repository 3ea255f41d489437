// Accounts and mechanics.
import { sentence, vehicleType } from "../../parts/words";
import { categories } from "../../parts/categories.svelte";
import {
  age,
  badge,
  code,
  DAY_S,
  HOUR_S,
  link,
  mechanic,
  person,
  phone,
  several,
  status,
  time,
  words,
} from "../list/cells";
import { list, type Column, type Fact, type RowOf } from "../list/list";
import {
  approveChange,
  rejectChange,
  reinstateMechanic,
  reinstateUser,
  suspendMechanic,
  suspendUser,
} from "../people/actions";

type MechanicRow = RowOf<"/admin/mechanics">;

export const users = list("/admin/users", {
  title: "People",
  about: "Every account. To find one by a number plate, search jobs: g j.",
  empty: "No people match these filters. Names match by the beginnings of words, numbers by their last digits.",
  filters: [
    { name: "q", label: "Name, email or phone", kind: "text", least: 2, hint: "meera, or the last 4 digits" },
    {
      name: "role",
      label: "Role",
      kind: "choice",
      options: [
        ["customer", "Customer"],
        ["admin", "Admin"],
        ["super_admin", "Super admin"],
      ],
    },
    {
      name: "status",
      label: "Status",
      kind: "choice",
      options: [
        ["active", "Active"],
        ["suspended", "Suspended"],
        ["deleted", "Deleted"],
      ],
    },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Name", cell: (row) => row.name ?? "No name" },
    { title: "Phone", cell: (row) => phone(row.phone) },
    { title: "Email", cell: (row) => row.email, extra: true },
    { title: "Role", cell: (row) => (row.mechanic_profile_id ? "Mechanic" : sentence(row.role)) },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Joined", cell: (row) => age(row.created_at), numeric: true },
  ],
  page: (row) => `/people/${row.id}`,
  heading: (row) => row.name ?? "No name",
  facts: (row) => [
    ["Phone", phone(row.phone)],
    ["Email", row.email],
    ["Role", sentence(row.role)],
    ["Mechanic", row.mechanic_profile_id ? mechanic(row.mechanic_profile_id, "See the profile") : null],
    ["Status", status(row.status)],
    ["Suspended because", words(row.suspension_reason)],
    ["Language", row.language],
    ["Joined", time(row.created_at)],
    ["Id", code(row.id)],
  ],
  actions: [suspendUser, reinstateUser],
});

const types = (served: MechanicRow["vehicle_types"]) => served.map((type) => vehicleType[type]);

const mechanicColumns: Column<MechanicRow>[] = [
  { title: "Name", cell: (row) => row.verified_name ?? row.name ?? "No name" },
  { title: "Phone", cell: (row) => phone(row.phone) },
  { title: "Serves", cell: (row) => several(categories.each(row.service_category_ids), 2) },
  { title: "Vehicles", cell: (row) => several(types(row.vehicle_types), 1), extra: true },
];

const mechanicFacts = (row: MechanicRow): Fact[] => [
  ["Phone", phone(row.phone)],
  ["Name in use", row.name],
  ["Verified name", row.verified_name],
  ["Status", [status(row.status), row.account_status === "active" ? null : status(row.account_status)]],
  ["Rejected because", words(row.rejection_reason)],
  ["Suspended because", words(row.suspension_reason)],
  ["Serves", categories.names(row.service_category_ids)],
  ["Vehicles", types(row.vehicle_types).join(", ")],
  ["Radius", `${row.service_radius_km} km`],
  ["Rating", row.total_ratings > 0 ? `${row.avg_rating.toFixed(2)} from ${row.total_ratings}` : "None yet"],
  ["Jobs", row.total_jobs],
  ["Wants jobs", row.is_available ? "Yes" : "No"],
  ["Change waits", row.has_pending_change ? link("/mechanic-changes", "See it") : null],
  ["Account", person(row.user_id, row.name)],
  ["Registered", time(row.created_at)],
];

export const mechanics = list("/admin/mechanics", {
  title: "Mechanics",
  about: "Everybody who registered as a mechanic.",
  empty: "No mechanics with these filters.",
  filters: [
    { name: "q", label: "Name, email or phone", kind: "text", least: 2, hint: "ravi, or the last 4 digits" },
    {
      name: "status",
      label: "Status",
      kind: "choice",
      options: [
        ["pending_verification", "Pending verification"],
        ["verified", "Verified"],
        ["rejected", "Rejected"],
        ["suspended", "Suspended"],
      ],
    },
  ],
  id: (row) => row.id,
  columns: [
    ...mechanicColumns,
    { title: "Rating", cell: (row) => (row.total_ratings > 0 ? row.avg_rating.toFixed(1) : null), numeric: true },
    { title: "Jobs", cell: (row) => row.total_jobs, numeric: true },
    { title: "Wants jobs", cell: (row) => (row.is_available ? badge("Yes", "good") : "No") },
    {
      title: "Status",
      cell: (row) => [status(row.status), row.account_status === "active" ? null : status(row.account_status)],
    },
  ],
  page: (row) => `/mechanics/${row.id}`,
  heading: (row) => row.verified_name ?? row.name ?? "No name",
  facts: mechanicFacts,
  actions: [suspendMechanic, reinstateMechanic],
});

export const verification = list("/admin/mechanics", {
  title: "Verification",
  about: "Mechanics whose documents are waiting to be checked.",
  empty: "No profiles are waiting for verification.",
  hasCsv: true,
  waiting: ["mechanics"],
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      initial: "pending_verification",
      options: [
        ["pending_verification", "Pending"],
        ["rejected", "Rejected"],
        ["verified", "Verified"],
      ],
    },
    { name: "q", label: "Name, email or phone", kind: "text", least: 2 },
  ],
  id: (row) => row.id,
  columns: [
    ...mechanicColumns,
    { title: "Status", cell: (row) => status(row.status) },
    {
      title: "Waits",
      cell: (row) =>
        row.status === "pending_verification" ? age(row.updated_at, HOUR_S * 4, DAY_S) : time(row.updated_at),
      numeric: true,
    },
  ],
  page: (row) => `/verification/${row.id}`,
  heading: (row) => row.name ?? "No name",
  facts: mechanicFacts,
});

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
    ["Serves now", [categories.names(row.served_service_category_ids), types(row.served_vehicle_types).join(", ")]],
    ["Asks for", [categories.names(row.service_category_ids), types(row.vehicle_types).join(", ")]],
    ["New", added(row)],
    ["Dropped", removed(row)],
    ["Asked", time(row.requested_at)],
  ],
  actions: [approveChange, rejectChange],
});

function added(row: RowOf<"/admin/mechanic-changes">) {
  return gain(row, "service_category_ids", "served_service_category_ids", "vehicle_types", "served_vehicle_types").map(
    (text) => badge(text, "good"),
  );
}

function removed(row: RowOf<"/admin/mechanic-changes">) {
  return gain(row, "served_service_category_ids", "service_category_ids", "served_vehicle_types", "vehicle_types").map(
    (text) => badge(text, "bad"),
  );
}

type Change = RowOf<"/admin/mechanic-changes">;
type Ids = "service_category_ids" | "served_service_category_ids";
type Types = "vehicle_types" | "served_vehicle_types";

/** Returns in words the entries that only the first has. */
function gain(row: Change, ids: Ids, otherIds: Ids, kinds: Types, otherKinds: Types): string[] {
  const more = row[ids].filter((id) => !row[otherIds].includes(id)).map((id) => categories.names([id]));
  return [...more, ...types(row[kinds].filter((type) => !row[otherKinds].includes(type)))];
}
