// The list of withdrawals from mechanics' wallets.
import { api } from "$shared/api/client";
import { money } from "$shared/text/format";
import { reference } from "../actions/action";
import { age, code, HOUR_S, mechanic, phone, rupees, soft, status, time, words } from "../list/cells";
import { list } from "../list/list";
import { choice, from, mechanicFilter, to } from "./filters";

export const withdrawals = list("/admin/withdrawals", {
  title: "Withdrawals",
  about:
    "What mechanics take out of their wallets. The service sends them and asks the provider until the end is " +
    "certain; without a provider you pay them and say so here.",
  empty: "No withdrawals with these filters.",
  waiting: ["withdrawals"],
  filters: [
    choice("status", "Status", ["requested", "processing", "processed", "failed", "reversed"]),
    mechanicFilter,
    from,
    to,
  ],
  id: (row) => row.id,
  columns: [
    { title: "Mechanic", cell: (row) => row.mechanic_name ?? row.holder_name },
    { title: "Amount", cell: (row) => rupees(row.amount), numeric: true },
    { title: "To", cell: (row) => code(row.vpa) },
    { title: "Status", cell: (row) => [status(row.status), soft(row.failure_reason)] },
    { title: "Tries", cell: (row) => row.attempts, numeric: true, extra: true },
    {
      title: "Asked for",
      cell: (row) => age(row.requested_at, row.settled_at ? Infinity : HOUR_S, row.settled_at ? Infinity : 4 * HOUR_S),
      numeric: true,
    },
  ],
  mark: (row) => (row.status === "failed" || row.status === "reversed" ? "bad" : null),
  heading: (row) => `Withdrawal of ${money(row.amount)}`,
  facts: (row) => [
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Phone", phone(row.mechanic_phone)],
    ["Account holder", row.holder_name],
    ["Address", code(row.vpa)],
    ["Status", status(row.status)],
    ["Why it failed", words(row.failure_reason)],
    ["Bank's reference", code(row.utr)],
    ["Payout", code(row.payout_id)],
    ["Tries", row.attempts],
    ["Asked for", time(row.requested_at)],
    ["Ended", time(row.settled_at)],
    ["Id", code(row.id)],
  ],
  actions: [
    {
      key: "p",
      name: "Mark paid",
      kind: "primary",
      when: (row) => row.is_to_be_paid_by_hand,
      form: {
        title: (row) => `Mark the withdrawal of ${money(row.amount)} paid`,
        says: (row) => [
          `Confirm that you have sent ${money(row.amount)} to ${row.vpa} (${row.holder_name}). ` +
            "The mechanic is notified. " +
            "This can't be undone.",
        ],
        fields: [reference("The bank's. The mechanic sees it")],
        confirm: "Mark paid",
        send: (row, values) =>
          api.POST("/admin/withdrawals/{id}/mark-paid", {
            params: { path: { id: row.id } },
            body: { reference: values["reference"] ?? "" },
          }),
        done: () => "Withdrawal marked as paid",
      },
    },
    {
      key: "x",
      name: "Can't be paid",
      kind: "danger",
      when: (row) => row.is_to_be_paid_by_hand,
      form: {
        title: (row) => `Give ${money(row.amount)} back to the wallet`,
        says: (row) => [`Nothing was sent to ${row.vpa}. The mechanic is notified and can withdraw the amount again.`],
        fields: [
          {
            name: "reason",
            label: "Why",
            kind: "long",
            least: 3,
            most: 300,
            hint: "The mechanic sees it",
            templates: ["The bank knows no such address. Add another account."],
          },
        ],
        confirm: "Give it back",
        isDanger: true,
        send: (row, values) =>
          api.POST("/admin/withdrawals/{id}/mark-failed", {
            params: { path: { id: row.id } },
            body: { reason: values["reason"] ?? "" },
          }),
        done: () => "The amount is back in the wallet",
      },
    },
  ],
});
