// Jobs that a customer or a mechanic contests.
import { sentence } from "../../parts/words";
import { job, mechanic, person, rupees, soft, status, time, wait, words } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

export const disputes = list("/admin/disputes", {
  title: "Disputes",
  about: "A customer or a mechanic contests a job. What it is about is held until you decide.",
  empty: "No disputes with these filters.",
  waiting: ["disputes"],
  filters: [choice("status", "Status", ["open", "resolved"], "open")],
  id: (row) => row.id,
  columns: [
    { title: "About", cell: (row) => sentence(row.reason_code) },
    {
      title: "Customer",
      cell: (row) => (row.opened_by === "customer" ? [row.customer_name, soft("opened it")] : row.customer_name),
    },
    {
      title: "Mechanic",
      cell: (row) => (row.opened_by === "mechanic" ? [row.mechanic_name, soft("opened it")] : row.mechanic_name),
    },
    { title: "Price", cell: (row) => rupees(row.final_price), numeric: true },
    {
      title: "Status",
      cell: (row) => [
        status(row.status),
        row.outcome ? soft(`for the ${row.outcome === "split" ? "two, split" : row.outcome}`) : null,
      ],
    },
    { title: "Age", cell: (row) => wait(row.created_at, row.status === "open"), numeric: true },
  ],
  page: (row) => `/disputes/${row.job_id}`,
  heading: (row) => sentence(row.reason_code),
  facts: (row) => [
    ["In their words", words(row.description)],
    ["Opened by", sentence(row.opened_by)],
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Job", job(row.job_id)],
    ["Price", rupees(row.final_price)],
    [
      "Evidence",
      row.evidence_urls.length > 0
        ? `${row.evidence_urls.length} ${row.evidence_urls.length === 1 ? "file" : "files"}`
        : null,
    ],
    ["Opened", time(row.created_at)],
    ["Outcome", row.outcome ? sentence(row.outcome) : null],
    ["Off the price", rupees(row.price_reduction)],
    ["The customer pays", rupees(row.price_after)],
    ["Note", words(row.note)],
    ["Resolved", time(row.resolved_at)],
  ],
});
