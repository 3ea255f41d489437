// The list of refunds to customers.
import { api, type Schemas } from "$shared/api/client";
import { money } from "$shared/text/format";
import { reference } from "../actions/action";
import { badge, code, job, link, person, phone, rupees, soft, status, time, wait, words } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

const refundSource: Record<Schemas["RefundSource"], string> = {
  admin: "An admin's decision",
  dispute: "A dispute",
  surplus: "Paid too much",
  gateway: "The gateway",
  chargeback: "A chargeback",
};

export const refunds = list("/admin/refunds", {
  title: "Refunds",
  about: "The gateway makes those of online payments by itself. Cash goes back by hand: pay it, then mark it paid.",
  empty: "No refunds with these filters.",
  waiting: ["refunds", "cash_refunds", "failed_refunds"],
  filters: [
    choice("status", "Status", ["pending", "processed", "failed"]),
    choice("channel", "Paid", ["online", "cash"]),
  ],
  id: (row) => row.id,
  columns: [
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Amount", cell: (row) => rupees(row.amount), numeric: true },
    { title: "Paid", cell: (row) => (row.channel === "cash" ? badge("Cash", "warn") : "Online") },
    { title: "Because of", cell: (row) => [refundSource[row.source], soft(row.reason)] },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Age", cell: (row) => wait(row.created_at, row.status === "pending"), numeric: true },
  ],
  mark: (row) => (row.status === "failed" ? "bad" : row.status === "pending" && row.channel === "cash" ? "warn" : null),
  heading: (row) => `Refund of ${money(row.amount)}`,
  facts: (row) => [
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Phone", phone(row.customer_phone)],
    ["Job", job(row.job_id)],
    ["Payment", link(`/payments?job_id=${row.job_id ?? ""}&at=${row.payment_id}`, "See the payment")],
    ["Because of", refundSource[row.source]],
    ["Reason", words(row.reason)],
    ["Status", status(row.status)],
    ["Why it failed", words(row.failure)],
    ["At the gateway", code(row.gateway_refund_id)],
    ["Made", time(row.created_at)],
    ["Ended", time(row.settled_at)],
  ],
  actions: [
    {
      key: "p",
      name: "Mark paid",
      kind: "primary",
      when: (row) => row.channel === "cash" && row.status === "pending",
      form: {
        title: () => "Mark the refund paid",
        says: (row) => [
          `Confirm that ${row.customer_name ?? "the customer"} has received ${money(row.amount)}. ` +
            "This can't be undone.",
        ],
        fields: [reference("The bank's, or whatever proves it")],
        confirm: "Mark paid",
        send: (row, values, header) =>
          api.POST("/admin/refunds/{id}/mark-paid", {
            params: { path: { id: row.id }, header },
            body: { reference: values["reference"] ?? "" },
          }),
        done: () => "Refund marked as paid",
      },
    },
  ],
});
