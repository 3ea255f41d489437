// Every account.
import { sentence } from "../../parts/words";
import { age, code, mechanic, phone, status, time, words } from "../list/cells";
import { list } from "../list/list";
import { reinstateUser, suspendUser } from "../people/actions";
import { choice } from "./filters";

export const users = list("/admin/users", {
  title: "People",
  about: "Every account. To find one by a number plate, search jobs: g j.",
  empty: "No people match these filters. Names match by the beginnings of words, numbers by their last digits.",
  filters: [
    { name: "q", label: "Name, email or phone", kind: "text", least: 2, hint: "meera, or the last 4 digits" },
    choice("role", "Role", ["customer", "admin", "super_admin"]),
    choice("status", "Status", ["active", "suspended", "deleted"]),
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
