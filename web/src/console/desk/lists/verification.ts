// Mechanics whose documents wait to be checked.
import { age, DAY_S, HOUR_S, status, time } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";
import { mechanicColumns, mechanicFacts } from "./mechanic";

export const verification = list("/admin/mechanics", {
  title: "Verification",
  about: "Mechanics whose documents are waiting to be checked.",
  empty: "No profiles are waiting for verification.",
  hasCsv: true,
  waiting: ["mechanics"],
  filters: [
    choice(
      "status",
      "Status",
      { pending_verification: "Pending", rejected: "Rejected", verified: "Verified" },
      "pending_verification",
    ),
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
