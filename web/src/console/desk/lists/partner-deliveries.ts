// The list of the events that were sent, or could not be sent, to partners.
import { age, code, link, soft, status, time, words } from "../list/cells";
import { list } from "../list/list";
import { choice, organisationFilter } from "./filters";

export const partnerDeliveries = list("/admin/partner-deliveries", {
  title: "Deliveries",
  about: "Events on their way to partners. A failed one is tried again for a day, then it is dead until replayed.",
  empty: "No deliveries with these filters.",
  hasCsv: false,
  filters: [organisationFilter, choice("status", "Status", ["pending", "delivered", "dead"])],
  id: (row) => row.id,
  columns: [
    { title: "Partner", cell: (row) => row.organisation_name },
    { title: "Event", cell: (row) => code(row.event_type) },
    { title: "No.", cell: (row) => row.seq, numeric: true },
    { title: "Status", cell: (row) => [status(row.status, row.status === "delivered" ? "good" : undefined)] },
    { title: "Answer", cell: (row) => [row.answer_status, soft(row.failure)] },
    { title: "Tries", cell: (row) => row.tries, numeric: true, extra: true },
    { title: "Age", cell: (row) => age(row.created_at), numeric: true },
  ],
  mark: (row) => (row.status === "dead" ? "bad" : row.failure !== null && row.status === "pending" ? "warn" : null),
  heading: (row) => `${row.event_type} to ${row.organisation_name}`,
  facts: (row) => [
    ["Status", status(row.status, row.status === "delivered" ? "good" : undefined)],
    ["To", code(row.url)],
    ["Answer", row.answer_status],
    ["Failure", words(row.failure)],
    ["Tries", row.tries],
    ["Next try", time(row.next_try_at)],
    ["Made", time(row.created_at)],
    ["Settled", time(row.settled_at)],
    ["Partner", link(`/organisations/${row.organisation_id}`, row.organisation_name)],
    ["Case", link(`/partner-cases/${row.case_id}`, "See the case")],
    ["Event", code(row.event_id)],
  ],
});
