// Money at the gateway that fits no payment.
import { api } from "$shared/api/client";
import { money } from "$shared/text/format";
import { sentence } from "../../parts/words";
import { byId, reason } from "../actions/action";
import { code, rupees, soft, status, time, wait, words } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

export const parkedPayments = list("/admin/parked-payments", {
  title: "Parked payments",
  about: "Money at the gateway that fits no payment. Refund it, or dismiss it if it was dealt with at the gateway.",
  empty: "No parked payments with these filters.",
  waiting: ["parked_payments"],
  filters: [choice("status", "Status", ["open", "refunding", "refunded", "dismissed"], "open")],
  id: (row) => row.id,
  columns: [
    { title: "Amount", cell: (row) => rupees(row.amount, row.currency) },
    { title: "Why", cell: (row) => [sentence(row.reason), soft(row.failure)] },
    { title: "At the gateway", cell: (row) => code(row.gateway_payment_id) },
    { title: "Order", cell: (row) => code(row.gateway_order_id), extra: true },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Seen", cell: (row) => wait(row.seen_at, row.status === "open"), numeric: true },
  ],
  mark: (row) => (row.failure ? "bad" : null),
  heading: (row) => `Parked: ${sentence(row.reason).toLowerCase()}`,
  facts: (row) => [
    ["Amount", rupees(row.amount, row.currency)],
    ["Why", sentence(row.reason)],
    ["At the gateway", code(row.gateway_payment_id)],
    ["Order", code(row.gateway_order_id)],
    ["Our payment", code(row.payment_id)],
    ["Status", status(row.status)],
    ["Refund failed", words(row.failure)],
    ["Seen", time(row.seen_at)],
    ["Ended", time(row.settled_at)],
  ],
  actions: [
    {
      key: "e",
      name: "Refund",
      kind: "primary",
      when: (row) => row.status === "open",
      form: {
        title: (row) => `Refund ${row.gateway_payment_id}`,
        says: (row) => [`The gateway gives all of it back: ${money(row.amount, row.currency)}.`],
        fields: [
          reason("Kept in the audit log", [
            "It belongs to no order of ours.",
            "The customer paid twice.",
            "The amount is not what was due.",
          ]),
        ],
        confirm: "Refund",
        isDanger: true,
        send: (row, values) =>
          api.POST("/admin/parked-payments/{id}/refund", { ...byId(row.id), body: { reason: values["reason"] ?? "" } }),
        done: () => "The gateway was asked to refund it",
      },
    },
    {
      key: "x",
      name: "Dismiss",
      when: (row) => row.status === "open",
      many: (rows) => ({
        title: `Dismiss ${rows.length} parked payments`,
        says: ["Nothing is refunded from here. Dismiss them only if they were dealt with at the gateway."],
      }),
      form: {
        title: (row) => `Dismiss ${row.gateway_payment_id}`,
        says: () => ["Nothing is refunded from here. Dismiss it only if it was dealt with at the gateway."],
        fields: [reason("Kept in the audit log", ["Refunded at the gateway.", "Belongs to another service of ours."])],
        confirm: "Dismiss",
        send: (row, values) =>
          api.POST("/admin/parked-payments/{id}/dismiss", {
            params: { path: { id: row.id } },
            body: { reason: values["reason"] ?? "" },
          }),
        done: () => "Parked payment dismissed",
      },
    },
  ],
});
