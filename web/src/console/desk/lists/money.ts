// Queues about money.
import { api, type Schemas } from "$shared/api/client";
import { session } from "$shared/api/session.svelte";
import { money } from "$shared/text/format";
import { sentence } from "../../parts/words";
import {
  age,
  badge,
  code,
  DAY_S,
  HOUR_S,
  job,
  link,
  mechanic,
  person,
  phone,
  rupees,
  soft,
  status,
  time,
  words,
} from "../list/cells";
import { list } from "../list/list";
import { compareNames } from "../money/names";

const choices = (values: readonly string[]): [string, string][] => values.map((value) => [value, sentence(value)]);
const jobFilter = { name: "job_id", label: "Job", kind: "named", sought: "job" } as const;
const mechanicFilter = {
  name: "mechanic_profile_id",
  label: "Mechanic",
  kind: "named",
  sought: "mechanic",
} as const;
const from = { name: "from", label: "From", kind: "date" } as const;
const to = { name: "to", label: "To", kind: "date" } as const;

export const upi = list("/admin/wallet/upi", {
  title: "UPI names",
  about:
    "The bank's name for the account differs from the name that the documents prove. Approve if both are the " +
    "same person.",
  empty: "No names to compare. New ones appear when a mechanic adds an account in another name.",
  hasCsv: false,
  waiting: ["upi_mismatches"],
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      initial: "name_mismatch",
      options: choices(["name_mismatch", "pending", "verified", "manually_approved", "rejected", "invalid"]),
    },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Mechanic", cell: (row) => row.mechanic_name ?? row.verified_name ?? "No name" },
    { title: "Verified name", cell: (row) => compareNames(row.verified_name, row.name_at_bank) },
    { title: "Name at the bank", cell: (row) => compareNames(row.name_at_bank, row.verified_name) },
    {
      title: "Match",
      cell: (row) => (row.name_match_score === null ? null : `${row.name_match_score} %`),
      numeric: true,
    },
    { title: "Address", cell: (row) => code(row.vpa), extra: true },
    { title: "Status", cell: (row) => status(row.verification_status) },
    {
      title: "Added",
      cell: (row) =>
        age(
          row.created_at,
          row.verification_status === "name_mismatch" ? DAY_S : Infinity,
          row.verification_status === "name_mismatch" ? 3 * DAY_S : Infinity,
        ),
      numeric: true,
    },
  ],
  heading: (row) => row.vpa,
  facts: (row) => [
    ["Verified name", compareNames(row.verified_name, row.name_at_bank)],
    ["At the bank", compareNames(row.name_at_bank, row.verified_name)],
    ["According to the mechanic", row.holder_name],
    ["Match", row.name_match_score === null ? null : `${row.name_match_score} %`],
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Status", status(row.verification_status)],
    ["Reason", words(row.rejection_reason)],
    ["Default", row.is_default ? "Yes" : null],
    ["Pays out from", time(row.usable_from)],
    ["Added", time(row.created_at)],
  ],
  actions: [
    {
      key: "a",
      name: "Approve",
      kind: "primary",
      when: (row) => row.verification_status === "name_mismatch",
      form: {
        title: (row) => `Approve ${row.vpa}`,
        says: (row) => [
          `${row.mechanic_name ?? "The mechanic"} can withdraw to an account in the name of ` +
            `“${row.name_at_bank ?? "unknown"}”. Approve only if you are sure that this is the person whose ` +
            `documents say “${row.verified_name ?? "nothing"}”.`,
        ],
        confirm: "Approve",
        send: (row) => api.POST("/wallet/upi/{upiAccountId}/approve", { params: { path: { upiAccountId: row.id } } }),
        done: (row) => `${row.vpa} approved`,
      },
    },
    {
      key: "x",
      name: "Reject",
      kind: "danger",
      when: (row) => row.verification_status === "name_mismatch",
      form: {
        title: (row) => `Reject ${row.vpa}`,
        says: () => ["The mechanic is notified and can add another account. The reason is shown to them."],
        fields: [
          {
            name: "reason",
            label: "Reason",
            kind: "long",
            optional: true,
            least: 3,
            most: 500,
            templates: [
              "The account belongs to somebody else. Add one in your own name.",
              "The name at the bank differs from your documents. Have it corrected at your bank, then add the " +
                "account again.",
            ],
          },
        ],
        confirm: "Reject",
        isDanger: true,
        send: (row, body) =>
          api.POST("/wallet/upi/{upiAccountId}/reject", { params: { path: { upiAccountId: row.id } }, body }),
        done: (row) => `${row.vpa} rejected`,
      },
    },
  ],
});

export const withdrawals = list("/admin/withdrawals", {
  title: "Withdrawals",
  about:
    "What mechanics take out of their wallets. The service sends them and asks the provider until the end is " +
    "certain; without a provider you pay them and say so here.",
  empty: "No withdrawals with these filters.",
  waiting: ["withdrawals"],
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      options: choices(["requested", "processing", "processed", "failed", "reversed"]),
    },
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
  heading: (row) => `Withdrawal of ₹${row.amount}`,
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
        title: (row) => `Mark the withdrawal of ₹${row.amount} paid`,
        says: (row) => [
          `Confirm that you have sent ₹${row.amount} to ${row.vpa} (${row.holder_name}). The mechanic is notified. ` +
            "This can't be undone.",
        ],
        fields: [
          {
            name: "reference",
            label: "Reference",
            kind: "text",
            most: 100,
            hint: "The bank's. The mechanic sees it",
          },
        ],
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
        title: (row) => `Give ₹${row.amount} back to the wallet`,
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
    { name: "status", label: "Status", kind: "choice", options: choices(["pending", "processed", "failed"]) },
    { name: "channel", label: "Paid", kind: "choice", options: choices(["online", "cash"]) },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Amount", cell: (row) => rupees(row.amount), numeric: true },
    { title: "Paid", cell: (row) => (row.channel === "cash" ? badge("Cash", "warn") : "Online") },
    { title: "Because of", cell: (row) => [refundSource[row.source], soft(row.reason)] },
    { title: "Status", cell: (row) => status(row.status) },
    {
      title: "Age",
      cell: (row) =>
        age(
          row.created_at,
          row.status === "pending" ? DAY_S : Infinity,
          row.status === "pending" ? 3 * DAY_S : Infinity,
        ),
      numeric: true,
    },
  ],
  mark: (row) => (row.status === "failed" ? "bad" : row.status === "pending" && row.channel === "cash" ? "warn" : null),
  heading: (row) => `Refund of ₹${row.amount}`,
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
          `Confirm that ${row.customer_name ?? "the customer"} has received ₹${row.amount}. This can't be undone.`,
        ],
        fields: [
          { name: "reference", label: "Reference", kind: "text", most: 100, hint: "The bank's, or whatever proves it" },
        ],
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

export const payments = list("/admin/payments", {
  title: "Payments",
  about: "What customers pay for jobs and cancellation fees.",
  empty: "No payments with these filters.",
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      options: choices(["created", "authorized", "captured", "partially_refunded", "refunded", "failed"]),
    },
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
  heading: (row) => `Payment of ₹${row.amount}`,
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
            `Paid ₹${row.amount}, of which ₹${row.refunded_amount} went back before: at most ₹${left} is left.`,
            `₹${amount} goes back to the customer. What the job cost is lowered by it, and the mechanic's ` +
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

export const chargebacks = list("/admin/chargebacks", {
  title: "Chargebacks",
  about:
    "A customer's bank wants a payment back. Contest it at the gateway, with the job's facts; the end arrives " +
    "from there.",
  empty: "No chargebacks with these filters.",
  waiting: ["chargebacks"],
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      initial: "open",
      options: choices(["open", "won", "lost", "closed"]),
    },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Customer", cell: (row) => row.customer_name ?? "No name" },
    { title: "Amount", cell: (row) => rupees(row.amount), numeric: true },
    { title: "Bank's reason", cell: (row) => (row.reason ? sentence(row.reason) : null) },
    { title: "Job", cell: (row) => job(row.job_id) },
    { title: "Status", cell: (row) => status(row.status) },
    {
      title: "Age",
      cell: (row) =>
        age(row.created_at, row.status === "open" ? DAY_S : Infinity, row.status === "open" ? 3 * DAY_S : Infinity),
      numeric: true,
    },
  ],
  mark: (row) => (row.status === "open" ? "warn" : row.status === "lost" ? "bad" : null),
  heading: (row) => `Chargeback of ₹${row.amount}`,
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

export const disputes = list("/admin/disputes", {
  title: "Disputes",
  about: "A customer or a mechanic contests a job. What it is about is held until you decide.",
  empty: "No disputes with these filters.",
  waiting: ["disputes"],
  filters: [
    { name: "status", label: "Status", kind: "choice", initial: "open", options: choices(["open", "resolved"]) },
  ],
  id: (row) => row.id,
  columns: [
    { title: "About", cell: (row) => sentence(row.reason_code) },
    {
      title: "Customer",
      cell: (row) => (row.opened_by === "customer" ? [row.customer_name, soft("opened it")] : row.customer_name),
    },
    {
      title: "Mechanic",
      cell: (row) => (row.opened_by === "mechanic" ? [row.mechanic_name, soft("opened it")] : row.mechanic_name),
    },
    { title: "Price", cell: (row) => rupees(row.final_price), numeric: true },
    {
      title: "Status",
      cell: (row) => [
        status(row.status),
        row.outcome ? soft(`for the ${row.outcome === "split" ? "two, split" : row.outcome}`) : null,
      ],
    },
    {
      title: "Age",
      cell: (row) =>
        age(row.created_at, row.status === "open" ? DAY_S : Infinity, row.status === "open" ? 3 * DAY_S : Infinity),
      numeric: true,
    },
  ],
  page: (row) => `/disputes/${row.job_id}`,
  heading: (row) => sentence(row.reason_code),
  facts: (row) => [
    ["In their words", words(row.description)],
    ["Opened by", sentence(row.opened_by)],
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Job", job(row.job_id)],
    ["Price", rupees(row.final_price)],
    [
      "Evidence",
      row.evidence_urls.length > 0
        ? `${row.evidence_urls.length} ${row.evidence_urls.length === 1 ? "file" : "files"}`
        : null,
    ],
    ["Opened", time(row.created_at)],
    ["Outcome", row.outcome ? sentence(row.outcome) : null],
    ["Off the price", rupees(row.price_reduction)],
    ["The customer pays", rupees(row.price_after)],
    ["Note", words(row.note)],
    ["Resolved", time(row.resolved_at)],
  ],
});

/** What the positions of a no-show's mechanic look like; null if nothing is wrong with them, or none is known. */
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
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      initial: "open",
      options: choices(["open", "due", "charged", "dropped"]),
    },
  ],
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
    {
      title: "Age",
      cell: (row) =>
        age(row.created_at, row.status === "open" ? DAY_S : Infinity, row.status === "open" ? 3 * DAY_S : Infinity),
      numeric: true,
    },
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
        fields: [
          {
            name: "note",
            label: "Why",
            kind: "long",
            most: 2000,
            hint: "Shown to both",
            templates: ["Nothing shows that the mechanic came.", "The customer was there."],
          },
        ],
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
        title: (row) => `Charge ₹${row.amount}`,
        says: (row) => [
          `${row.customer_name ?? "The customer"} owes ₹${row.amount}, and ` +
            `${row.mechanic_name ?? "the mechanic"} gets their share once it is paid. Both are notified.`,
        ],
        fields: [
          {
            name: "note",
            label: "Why",
            kind: "long",
            most: 2000,
            hint: "Shown to both",
            templates: ["Chat and calls show that the mechanic was there."],
          },
        ],
        confirm: "Charge",
        isDanger: true,
        send: (row, values) =>
          api.POST("/admin/jobs/{id}/decide-no-show", {
            params: { path: { id: row.job_id } },
            body: { charge: true, note: values["note"] ?? "" },
          }),
        done: (row) => `₹${row.amount} is due`,
      },
    },
  ],
});

export const parkedPayments = list("/admin/parked-payments", {
  title: "Parked payments",
  about: "Money at the gateway that fits no payment. Refund it, or dismiss it if it was dealt with at the gateway.",
  empty: "No parked payments with these filters.",
  waiting: ["parked_payments"],
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      initial: "open",
      options: choices(["open", "refunding", "refunded", "dismissed"]),
    },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Amount", cell: (row) => rupees(row.amount, row.currency) },
    { title: "Why", cell: (row) => [sentence(row.reason), soft(row.failure)] },
    { title: "At the gateway", cell: (row) => code(row.gateway_payment_id) },
    { title: "Order", cell: (row) => code(row.gateway_order_id), extra: true },
    { title: "Status", cell: (row) => status(row.status) },
    {
      title: "Seen",
      cell: (row) =>
        age(row.seen_at, row.status === "open" ? DAY_S : Infinity, row.status === "open" ? 3 * DAY_S : Infinity),
      numeric: true,
    },
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
        says: (row) => [`The gateway gives all of it back: ${row.amount} ${row.currency}.`],
        fields: [
          {
            name: "reason",
            label: "Reason",
            kind: "long",
            least: 3,
            most: 500,
            hint: "Kept in the audit log",
            templates: [
              "It belongs to no order of ours.",
              "The customer paid twice.",
              "The amount is not what was due.",
            ],
          },
        ],
        confirm: "Refund",
        isDanger: true,
        send: (row, values) =>
          api.POST("/admin/parked-payments/{id}/refund", {
            params: { path: { id: row.id } },
            body: { reason: values["reason"] ?? "" },
          }),
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
        fields: [
          {
            name: "reason",
            label: "Reason",
            kind: "long",
            least: 3,
            most: 500,
            hint: "Kept in the audit log",
            templates: ["Refunded at the gateway.", "Belongs to another service of ours."],
          },
        ],
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

export const settlements = list("/admin/settlements", {
  title: "Settlements",
  about:
    "One for each mechanic and period: what customers paid, less commission, tax, refunds and the cash that " +
    "the mechanic has.",
  empty: "No settlements yet. Run a period to make them.",
  filters: [{ name: "status", label: "Status", kind: "choice", options: choices(["open", "paid"]) }],
  id: (row) => row.id,
  columns: [
    { title: "Mechanic", cell: (row) => row.mechanic_name ?? "No name" },
    { title: "Period", cell: (row) => `${row.period_start} to ${dayBefore(row.period_end)}` },
    { title: "Gross", cell: (row) => rupees(row.gross), numeric: true },
    { title: "Commission", cell: (row) => rupees(row.commission), numeric: true, extra: true },
    { title: "Cash", cell: (row) => rupees(row.cash_collected), numeric: true, extra: true },
    { title: "Refunds", cell: (row) => rupees(row.refunds), numeric: true, extra: true },
    { title: "Net", cell: (row) => rupees(row.net), numeric: true },
    { title: "Status", cell: (row) => status(row.status) },
  ],
  mark: (row) => (row.net < 0 ? "warn" : null),
  heading: (row) => `${row.mechanic_name ?? "No name"}, ${row.period_start}`,
  facts: (row) => [
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Phone", phone(row.mechanic_phone)],
    ["First day", row.period_start],
    ["Last day", dayBefore(row.period_end)],
    ["Gross", rupees(row.gross)],
    ["Commission", rupees(-row.commission)],
    ["Tax", rupees(-row.tax)],
    ["Refunds", rupees(-row.refunds)],
    ["Cash in hand", rupees(-row.cash_collected)],
    ["Net", rupees(row.net)],
    ["Status", status(row.status)],
    ["Reference", code(row.reference)],
    ["Made", time(row.created_at)],
    ["Paid", time(row.paid_at)],
  ],
  listActions: [
    {
      key: "s",
      name: "Run a period",
      form: {
        title: () => "Run settlements",
        says: (_, values) => [
          values["period_start"] && values["period_end"]
            ? `Makes one settlement for each mechanic who earned something from ${values["period_start"]} up to, ` +
              `and without, ${values["period_end"]} (days in UTC). A mechanic's period is settled once.`
            : "Makes one settlement for each mechanic who earned something in the period. A mechanic's period is " +
              "settled once.",
        ],
        fields: [
          { name: "period_start", label: "First day", kind: "date" },
          { name: "period_end", label: "First day after it", kind: "date" },
        ],
        initial: () => lastWeek(new Date()),
        confirm: "Run",
        send: (_, values) =>
          api.POST("/admin/settlements/run", {
            body: { period_start: values["period_start"] ?? "", period_end: values["period_end"] ?? "" },
          }),
        done: () => "Settlements made",
      },
    },
  ],
  actions: [
    {
      key: "p",
      name: "Mark paid",
      kind: "primary",
      when: (row) => row.status === "open",
      many: (rows) => ({
        title: `Mark ${rows.length} settlements paid`,
        says: [
          `Net ${money(rows.reduce((sum, row) => sum + row.net, 0))} in all. This notes that each was paid, once.`,
        ],
      }),
      form: {
        title: (row) => `Mark the settlement of ${row.mechanic_name ?? "this mechanic"} paid`,
        says: (row) => [`Net ₹${row.net}. This notes that it was paid, once.`],
        fields: [
          {
            name: "reference",
            label: "Reference",
            kind: "text",
            most: 100,
            hint: "How the payment is found again at the bank",
          },
        ],
        confirm: "Mark paid",
        send: (row, values) =>
          api.POST("/admin/settlements/{id}/mark-paid", {
            params: { path: { id: row.id } },
            body: { reference: values["reference"] ?? "" },
          }),
        done: () => "Settlement marked as paid",
      },
    },
  ],
});

export const failedPushes = list("/admin/failed-pushes", {
  title: "Failed pushes",
  about:
    "Messages to phones that could not be delivered after every try. Many at once point to a wrong key or a " +
    "provider that is down.",
  empty: "Every push arrived.",
  hasCsv: false,
  listActions: [
    {
      key: "m",
      name: "Test SMS",
      when: () => session.role === "super_admin",
      form: {
        title: () => "Send a test SMS",
        says: () => [
          "Its text is that of a sign-in code, with zeros for the code. It costs what a message costs, " +
            "and the audit log has it.",
        ],
        fields: [{ name: "phone", label: "Your phone", kind: "text", hint: "+91 98765 43210" }],
        confirm: "Send",
        send: (_, values) => api.POST("/super-admin/sms/test", { body: { phone: values["phone"] ?? "" } }),
        hasFailed: (answer) => (answer as Schemas["SmsTest"]).outcome !== "taken",
        done: (_, answer) => smsOutcome(answer as Schemas["SmsTest"]),
      },
    },
    {
      key: "p",
      name: "Test push",
      when: () => session.role === "super_admin",
      form: {
        title: () => "Send a test push",
        says: () => ["It goes to each of your devices that has notifications switched on."],
        confirm: "Send",
        send: () => api.POST("/super-admin/push/test"),
        hasFailed: (answer) => !(answer as TestedDevices).data.some(({ outcome }) => outcome === "taken"),
        done: (_, answer) => pushOutcome(answer as TestedDevices),
      },
    },
    {
      key: "l",
      name: "Test mail",
      when: () => session.role === "super_admin",
      form: {
        title: () => "Send a test mail",
        says: () => ["The mail server is asked at once and its answer shown here. The audit log records the test."],
        fields: [
          {
            name: "email",
            label: "Address",
            kind: "email",
            optional: true,
            hint: "Your own if you leave it empty",
          },
        ],
        confirm: "Send",
        send: (_, values) =>
          api.POST("/super-admin/mail/test", { body: values["email"] ? { email: values["email"] } : {} }),
        hasFailed: (answer) => (answer as Schemas["MailTest"]).outcome !== "taken",
        done: (_, answer) => mailOutcome(answer as Schemas["MailTest"]),
      },
    },
  ],
  id: (row) => row.id,
  columns: [
    { title: "About", cell: (row) => sentence(row.type) },
    { title: "Person", cell: (row) => person(row.user_id) },
    { title: "Why", cell: (row) => words(row.failure ?? null) },
    { title: "Tries", cell: (row) => row.attempts, numeric: true },
    { title: "Failed", cell: (row) => age(row.failed_at ?? row.created_at), numeric: true },
  ],
  heading: (row) => sentence(row.type),
  facts: (row) => [
    ["Person", person(row.user_id)],
    ["Why", words(row.failure ?? null)],
    ["Tries", row.attempts],
    ["Made", time(row.created_at)],
    ["Failed", time(row.failed_at ?? null)],
  ],
});

interface TestedDevices {
  data: Schemas["TestedDevice"][];
}

function pushOutcome({ data }: TestedDevices): string {
  if (data.length === 0) return "None of your devices receives pushes: switch notifications on in an app first";
  const words: Record<Schemas["PushOutcome"], string> = {
    taken: "taken",
    unregistered: "no longer registered",
    refused: "refused",
    not_now: "not taken now",
    not_sent: "not pushed: push.provider is log",
  };
  return data
    .map(({ platform, outcome, reason }) => `${platform}: ${words[outcome]}${reason ? ` (${reason})` : ""}`)
    .join("; ");
}

function mailOutcome({ outcome, reason }: Schemas["MailTest"]): string {
  const why = reason ? `: ${reason}` : "";
  switch (outcome) {
    case "taken":
      return "The mail server accepted the mail";
    case "refused":
      return `The mail server refused it${why}`;
    case "not_now":
      return `The mail server did not take it now${why}`;
    case "unknown":
      return `It is not known whether the mail server accepted it${why}`;
    case "not_sent":
      return "No mail server is set (mail.provider)";
  }
}

function smsOutcome({ outcome, reason }: Schemas["SmsTest"]): string {
  const why = reason ? `: ${reason}` : "";
  switch (outcome) {
    case "taken":
      return "The provider took the message";
    case "refused":
      return `The provider refused it${why}`;
    case "unknown":
      return `Nobody knows whether the provider took it${why}`;
    case "not_sent":
      return "Nothing was sent: sms.provider is log";
  }
}

function dayBefore(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}

/** The week before this one, Monday to Monday, in UTC as settlements count. */
function lastWeek(now: Date): { period_start: string; period_end: string } {
  const monday = new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7)),
  );
  const before = new Date(monday.getTime() - 7 * DAY_S * 1000);
  return { period_start: before.toISOString().slice(0, 10), period_end: monday.toISOString().slice(0, 10) };
}
