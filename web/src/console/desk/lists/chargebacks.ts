// Payments that a customer's bank wants back.
import { money } from "$shared/text/format";
import { sentence } from "../../parts/words";
import { code, job, link, person, phone, rupees, status, time, wait } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

export const chargebacks = list("/admin/chargebacks", {
  title: "Chargebacks",
  about:
    "A customer's bank wants a payment back. Contest it at the gateway, with the job's facts; the end arrives " +
    "from there.",
  empty: "No chargebacks with these filters.",
  waiting: ["chargebacks"],
  filters: [choice("status", "Status", ["open", "won", "lost", "closed"], "open")],
  id: (row) => row.id,
  columns: [
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Amount", cell: (row) => rupees(row.amount), numeric: true },
    { title: "Bank's reason", cell: (row) => (row.reason ? sentence(row.reason) : null) },
    { title: "Job", cell: (row) => job(row.job_id) },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Age", cell: (row) => wait(row.created_at, row.status === "open"), numeric: true },
  ],
  mark: (row) => (row.status === "open" ? "warn" : row.status === "lost" ? "bad" : null),
  heading: (row) => `Chargeback of ${money(row.amount)}`,
  facts: (row) => [
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Phone", phone(row.customer_phone)],
    ["Job", job(row.job_id)],
    ["Payment", link(`/payments?job_id=${row.job_id ?? ""}&at=${row.payment_id}`, "See the payment")],
    ["Bank's reason", row.reason ? sentence(row.reason) : null],
    ["At the gateway", code(row.gateway_dispute_id)],
    ["Status", status(row.status)],
    ["Begun", time(row.created_at)],
    ["Changed", time(row.updated_at)],
  ],
});
