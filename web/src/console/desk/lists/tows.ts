// Tows without a position at their destination.
import { api, type Schemas } from "$shared/api/client";
import { distance, money } from "$shared/text/format";
import { note } from "../actions/action";
import { age, DAY_S, job, mechanic, person, phone, rupees, status, time, words } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

type Row = Schemas["TowReview"];

const metres = (value: number | null | undefined) => (value == null ? "Not known" : distance(value));

const decide = (row: Row, pay: boolean, note: string) =>
  api.POST("/admin/jobs/{id}/decide-tow", { params: { path: { id: row.job_id } }, body: { pay, note } });

export const towReviews = list("/admin/tow-reviews", {
  title: "Tows to look at",
  about:
    "A mechanic handed a vehicle over, and no position shows that it is at its destination. Their share does not " +
    "clear until you decide, or until the day that is shown.",
  empty: "No tows with these filters.",
  waiting: ["tow_reviews"],
  filters: [choice("status", "Status", ["open", "released", "reduced"], "open")],
  id: (row) => row.job_id,
  columns: [
    { title: "Mechanic", cell: (row) => row.mechanic_name ?? "No name" },
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Quoted", cell: (row) => metres(row.quoted_m), numeric: true },
    { title: "Driven", cell: (row) => metres(row.driven_m), numeric: true },
    { title: "The mechanic says", cell: (row) => words(row.reason) },
    { title: "Status", cell: (row) => status(row.status) },
    {
      title: "Age",
      cell: (row) => (row.status === "open" ? age(row.created_at, 3 * DAY_S, 10 * DAY_S) : age(row.created_at)),
      numeric: true,
    },
  ],
  heading: (row) => `Tow by ${row.mechanic_name ?? "a mechanic"}`,
  facts: (row) => [
    ["The way costs", rupees(row.amount)],
    ["Job", job(row.job_id, "See its trail, photos and chat")],
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Phone", phone(row.mechanic_phone)],
    ["The mechanic says", words(row.reason)],
    ["Position at the handover", row.distance_m == null ? "None" : `${distance(row.distance_m)} from the destination`],
    ["Quoted", metres(row.quoted_m)],
    ["Driven, at least", metres(row.driven_m)],
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Phone", phone(row.customer_phone)],
    ["Handed over", time(row.created_at)],
    ["Held until", time(row.held_until)],
    ["Status", status(row.status)],
    ["Note", words(row.note)],
    ["Decided", time(row.decided_at)],
  ],
  actions: [
    {
      key: "a",
      name: "Release",
      kind: "primary",
      when: (row) => row.status === "open",
      form: {
        title: () => "Release the mechanic's share",
        says: () => ["It clears as any other. Ask the workshop or the customer if you are not sure."],
        fields: [note("For admins")],
        confirm: "Release it",
        send: (row, values) => decide(row, true, values["note"] ?? ""),
        done: () => "The share is released",
      },
    },
    {
      key: "x",
      name: "Take the way off",
      kind: "danger",
      when: (row) => row.status === "open",
      form: {
        title: (row) => `Give ${money(row.amount)} back`,
        says: (row) => [
          `${row.customer_name ?? "The customer"} gets back what the way costs. That works once they have paid; ` +
            "until then they can dispute the price themselves.",
        ],
        fields: [note("For admins")],
        confirm: "Give it back",
        isDanger: true,
        send: (row, values) => decide(row, false, values["note"] ?? ""),
        done: (row) => `${money(row.amount)} goes back`,
      },
    },
  ],
});
