// The list of customers' payments.
import { api } from "$shared/api/client";
import { money } from "$shared/text/format";
import { sentence } from "../../parts/words";
import { code, job, person, phone, rupees, soft, status, time, words } from "../list/cells";
import { list } from "../list/list";
import { choice, jobFilter } from "./filters";

export const payments = list("/admin/payments", {
  title: "Payments",
  about: "What customers pay for jobs and cancellation fees.",
  empty: "No payments with these filters.",
  filters: [
    choice("status", "Status", ["created", "authorized", "captured", "partially_refunded", "refunded", "failed"]),
    jobFilter,
  ],
  id: (row) => row.id,
  columns: [
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Amount", cell: (row) => rupees(row.amount, row.currency), numeric: true },
    {
      title: "Refunded",
      cell: (row) => (row.refunded_amount > 0 ? rupees(row.refunded_amount, row.currency) : null),
      numeric: true,
    },
    {
      title: "For",
      cell: (row) =>
        row.purpose === "fees"
          ? `${row.fee_job_ids.length} cancellation ${row.fee_job_ids.length === 1 ? "fee" : "fees"}`
          : job(row.job_id),
    },
    {
      title: "How",
      cell: (row) =>
        row.channel === "cash" ? "Cash" : row.method === "upi" ? "UPI" : sentence(row.method ?? "online"),
    },
    { title: "Status", cell: (row) => [status(row.status), soft(row.failure)] },
    { title: "Made", cell: (row) => time(row.created_at), numeric: true },
  ],
  heading: (row) => `Payment of ${money(row.amount)}`,
  facts: (row) => [
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Phone", phone(row.customer_phone)],
    ["Job", job(row.job_id)],
    ["Fees of", row.fee_job_ids.map((id) => job(id))],
    ["Amount", rupees(row.amount, row.currency)],
    ["Refunded", row.refunded_amount > 0 ? rupees(row.refunded_amount, row.currency) : null],
    ["Status", status(row.status)],
    ["Why it failed", words(row.failure)],
    ["Paid", time(row.captured_at)],
    ["Cash: customer confirmed", time(row.cash_confirmed_by_customer_at)],
    ["Cash: mechanic confirmed", time(row.cash_confirmed_by_mechanic_at)],
    ["Paid twice with", code(row.duplicate_of)],
    ["Order", code(row.gateway_order_id)],
    ["At the gateway", code(row.gateway_payment_id)],
    ["Made", time(row.created_at)],
    ["Id", code(row.id)],
  ],
  actions: [
    {
      key: "e",
      name: "Refund",
      when: (row) => ["captured", "partially_refunded"].includes(row.status) && row.refunded_amount < row.amount,
      form: {
        title: (row) => `Refund ${row.customer_name ?? "the customer"}`,
        says: (row, values) => {
          const left = Math.round((row.amount - row.refunded_amount) * 100) / 100;
          const amount = Number(values["amount"]) || left;
          return [
            `Paid ${money(row.amount)}, of which ${money(row.refunded_amount)} went back before: at most ` +
              `${money(left)} is left.`,
            `${money(amount)} goes back to the customer. What the job cost is lowered by it, and the mechanic's ` +
              "share with it.",
            ...(row.channel === "cash"
              ? ["It was paid in cash: the refund waits in the list of refunds until it is paid by hand."]
              : []),
          ];
        },
        fields: [
          { name: "amount", label: "Amount", kind: "amount", optional: true, hint: "Empty: all that is left" },
          {
            name: "reason",
            label: "Reason",
            kind: "long",
            most: 500,
            templates: [
              "The work was not done as agreed.",
              "The customer was charged too much.",
              "Goodwill after a long wait.",
            ],
          },
        ],
        confirm: "Refund",
        isDanger: true,
        send: (row, values, header) =>
          api.POST("/payments/{id}/refunds", {
            params: { path: { id: row.id }, header },
            body: { reason: values["reason"] ?? "", ...(values["amount"] ? { amount: Number(values["amount"]) } : {}) },
          }),
        done: () => "Refund made",
      },
    },
  ],
});
