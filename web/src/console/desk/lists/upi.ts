// Names of bank accounts that differ from the names in people's documents.
import { api } from "$shared/api/client";
import { code, mechanic, status, time, wait, words } from "../list/cells";
import { list } from "../list/list";
import { compareNames } from "../money/names";
import { choice } from "./filters";

export const upi = list("/admin/wallet/upi", {
  title: "UPI names",
  about:
    "The bank's name for the account differs from the name that the documents prove, or no bank says whose it is. " +
    "Approve if both are the same person.",
  empty: "No names to compare. New ones appear when a mechanic adds an account in another name.",
  hasCsv: false,
  waiting: ["upi_mismatches"],
  filters: [
    choice(
      "status",
      "Status",
      ["name_mismatch", "pending", "verified", "manually_approved", "rejected", "invalid"],
      "name_mismatch",
    ),
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
    { title: "Added", cell: (row) => wait(row.created_at, row.verification_status === "name_mismatch"), numeric: true },
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
          row.name_at_bank === null
            ? `${row.mechanic_name ?? "The mechanic"} can withdraw to this account; no bank has said whose it is. ` +
              `Approve only if you are sure that it belongs to “${row.verified_name ?? "nobody verified"}”.`
            : `${row.mechanic_name ?? "The mechanic"} can withdraw to an account in the name of ` +
              `“${row.name_at_bank}”. Approve only if you are sure that this is the person whose ` +
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
