// Customers without a mechanic who wait for a call.
import { api, type Schemas } from "$shared/api/client";
import { jobStatus, jobStatusKind } from "../../parts/words";
import { age, badge, job, person, phone, soft, status, time, words } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

const outcomes: [Schemas["CallResult"], string][] = [
  ["reached", "Reached: we talked"],
  ["not_reached", "Not reached: they are notified and can ask again"],
  ["resolved_without_call", "No call was needed"],
];

export const callbacks = list("/admin/callbacks", {
  title: "Callbacks",
  about: "Customers without a mechanic who asked to be called, those who wait longest first.",
  empty: "No customers are waiting for a call.",
  waiting: ["callbacks"],
  filters: [choice("status", "Status", ["open", "done"], "open")],
  id: (row) => row.job_id,
  columns: [
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Phone", cell: (row) => phone(row.customer_phone) },
    { title: "Needs", cell: (row) => [row.service_category_name, soft(row.pickup_area)] },
    { title: "Note", cell: (row) => words(row.note) },
    { title: "Job", cell: (row) => badge(jobStatus(row.job_status), jobStatusKind(row.job_status)) },
    {
      title: "Waits",
      cell: (row) => (row.done_at ? time(row.done_at) : age(row.requested_at, 300, 900)),
      numeric: true,
    },
  ],
  heading: (row) => `Call ${row.customer_name ?? "the customer"}`,
  facts: (row) => [
    ["Phone", phone(row.customer_phone)],
    ["Their note", words(row.note)],
    ["Needs", row.service_category_name],
    ["Where", row.pickup_area],
    ["Job", [badge(jobStatus(row.job_status), jobStatusKind(row.job_status)), job(row.job_id, "Open the job")]],
    ["Searched for", `${row.waiting_minutes} min`],
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Asked", time(row.requested_at)],
    ["Outcome", row.outcome ? status(row.outcome) : null],
    ["Note after the call", words(row.done_note)],
    ["Closed by", row.done_by ? person(row.done_by, "An admin") : null],
    ["Closed", time(row.done_at)],
  ],
  actions: [
    {
      key: "d",
      name: "Done",
      kind: "primary",
      when: (row) => row.done_at === null,
      many: (rows) => ({
        title: `Close ${rows.length} requests`,
        says: ["What became of these calls? The requests leave the list."],
      }),
      form: {
        title: (row) => `Close the request of ${row.customer_name ?? "the customer"}`,
        says: () => ["What became of the call? The request leaves the list."],
        fields: [
          { name: "outcome", label: "Outcome", kind: "choice", options: outcomes },
          { name: "note", label: "Note for other admins", kind: "long", optional: true, most: 500 },
        ],
        confirm: "Close it",
        send: (row, values) =>
          api.POST("/admin/callbacks/{job_id}/done", {
            params: { path: { job_id: row.job_id } },
            body: {
              outcome: values["outcome"] as Schemas["CallResult"],
              ...(values["note"] ? { note: values["note"] } : {}),
            },
          }),
        done: () => "Request closed",
      },
    },
  ],
});
