// People's questions and complaints about their data.
import { now } from "../../parts/now.svelte";
import { badge, person, phone, status, time } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";
import { due, kindNames } from "../people/grievance";

export const grievances = list("/admin/grievances", {
  title: "Grievances",
  about: "What people ask or complain about their data, what is due first. Open one to read and answer it.",
  empty: "Nobody waits for an answer.",
  waiting: ["grievances"],
  filters: [
    choice(
      "status",
      "Status",
      { open: "Open", answered: "Answered", closed: "Closed: the account was deleted" },
      "open",
    ),
    choice("kind", "About", kindNames),
  ],
  id: (row) => row.id,
  columns: [
    { title: "Person", cell: (row) => row.customer_name ?? "No name" },
    { title: "About", cell: (row) => kindNames[row.kind] },
    { title: "Written", cell: (row) => time(row.created_at), extra: true },
    {
      title: "Due",
      cell: (row) => {
        const left = due(row, now.value);
        return row.done_at === null ? badge(left.text, left.tone) : time(row.done_at);
      },
    },
  ],
  page: (row) => `/grievances/${row.id}`,
  heading: (row) => row.customer_name ?? "No name",
  facts: (row) => [
    ["About", kindNames[row.kind]],
    ["Status", status(row.status)],
    ["Person", person(row.user_id, row.customer_name)],
    ["Phone", phone(row.customer_phone)],
    ["Written", time(row.created_at)],
    ["Due", time(row.due_at)],
    ["Done", time(row.done_at)],
    ["Answered by", row.answered_by ? person(row.answered_by, "An admin") : null],
  ],
});
