// Everybody who registered as a mechanic.
import { badge, status } from "../list/cells";
import { list } from "../list/list";
import { reinstateMechanic, suspendMechanic } from "../people/actions";
import { choice } from "./filters";
import { mechanicColumns, mechanicFacts } from "./mechanic";

export const mechanics = list("/admin/mechanics", {
  title: "Mechanics",
  about: "Everybody who registered as a mechanic.",
  empty: "No mechanics with these filters.",
  filters: [
    { name: "q", label: "Name, email or phone", kind: "text", least: 2, hint: "ravi, or the last 4 digits" },
    choice("status", "Status", ["pending_verification", "verified", "rejected", "suspended"]),
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
