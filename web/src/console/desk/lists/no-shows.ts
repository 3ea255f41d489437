// The list of the no-shows that an admin decides about.
import { api, type Schemas } from "$shared/api/client";
import { money } from "$shared/text/format";
import { note } from "../actions/action";
import { job, mechanic, person, phone, rupees, soft, status, time, wait, words } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

/** Describes the positions of a no-show's mechanic; null if they look normal, or none is known. */
const marks = (row: Schemas["NoShowForAdmin"]) =>
  [
    row.positions_jump ? "Positions jump or are simulated" : null,
    row.positions_stand_still ? "All positions are of one place" : null,
  ]
    .filter((mark) => mark !== null)
    .join(". ") || null;

export const noShows = list("/admin/no-shows", {
  title: "No-shows",
  about:
    "A mechanic says that nobody was there. Open are those where no position shows that they came, and those that " +
    "the customer contests. The customer pays nothing until you decide.",
  empty: "No no-shows with these filters.",
  waiting: ["no_shows"],
  filters: [choice("status", "Status", ["open", "due", "charged", "dropped"], "open")],
  id: (row) => row.job_id,
  columns: [
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Mechanic", cell: (row) => row.mechanic_name ?? "No name" },
    {
      title: "Position",
      cell: (row) => [row.distance_m === null ? "None" : `${Math.round(row.distance_m)} m away`, soft(marks(row))],
    },
    { title: "The mechanic says", cell: (row) => words(row.override_reason) },
    { title: "The customer says", cell: (row) => words(row.statement) },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Age", cell: (row) => wait(row.created_at, row.status === "open"), numeric: true },
  ],
  heading: (row) => `No-show of ${row.customer_name ?? "a customer"}`,
  facts: (row) => [
    ["Amount", rupees(row.amount)],
    ["Job", job(row.job_id, "See its trail and chat")],
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Phone", phone(row.customer_phone)],
    ["The customer says", words(row.statement)],
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Phone", phone(row.mechanic_phone)],
    ["The mechanic says", words(row.override_reason)],
    [
      "Position when they said so",
      row.distance_m === null ? "None" : `${Math.round(row.distance_m)} m from the pickup`,
    ],
    ["Their positions", words(marks(row))],
    ["Reported", time(row.created_at)],
    ["Can be contested until", time(row.contestable_until)],
    ["Status", status(row.status)],
    ["Note", words(row.note)],
    ["Decided", time(row.decided_at)],
  ],
  actions: [
    {
      key: "x",
      name: "Drop",
      kind: "primary",
      when: (row) => row.status === "open",
      many: (rows) => ({
        title: `Drop ${rows.length} no-shows`,
        says: ["These customers pay nothing, and get back what they paid. Everybody is notified."],
      }),
      form: {
        title: () => "Drop this no-show",
        says: (row) => [
          `${row.customer_name ?? "The customer"} pays nothing, and gets back what they paid. Both are notified.`,
        ],
        fields: [note("Shown to both", ["Nothing shows that the mechanic came.", "The customer was there."])],
        confirm: "Drop it",
        send: (row, values) =>
          api.POST("/admin/jobs/{id}/decide-no-show", {
            params: { path: { id: row.job_id } },
            body: { charge: false, note: values["note"] ?? "" },
          }),
        done: () => "Nothing is due",
      },
    },
    {
      key: "e",
      name: "Charge",
      kind: "danger",
      when: (row) => row.status === "open",
      form: {
        title: (row) => `Charge ${money(row.amount)}`,
        says: (row) => [
          `${row.customer_name ?? "The customer"} owes ${money(row.amount)}, and ` +
            `${row.mechanic_name ?? "the mechanic"} gets their share once it is paid. Both are notified.`,
        ],
        fields: [note("Shown to both", ["Chat and calls show that the mechanic was there."])],
        confirm: "Charge",
        isDanger: true,
        send: (row, values) =>
          api.POST("/admin/jobs/{id}/decide-no-show", {
            params: { path: { id: row.job_id } },
            body: { charge: true, note: values["note"] ?? "" },
          }),
        done: (row) => `${money(row.amount)} is due`,
      },
    },
  ],
});
