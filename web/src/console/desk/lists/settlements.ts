// The list of mechanics' earnings by period.
import { api, type Schemas } from "$shared/api/client";
import { money } from "$shared/text/format";
import { lastWeek } from "../figures/period";
import { reference } from "../actions/action";
import { code, mechanic, phone, rupees, status, time } from "../list/cells";
import { list } from "../list/list";
import { settlementsOf } from "../money/outcome";
import { choice } from "./filters";

export const settlements = list("/admin/settlements", {
  title: "Settlements",
  about:
    "One for each mechanic and period: what customers paid, less commission, tax, refunds and the cash that " +
    "the mechanic has.",
  empty: "No settlements yet. Run a period to make them.",
  filters: [choice("status", "Status", ["open", "paid"])],
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
              `and without, ${values["period_end"]} (local days). A mechanic's period is settled once.`
            : "Makes one settlement for each mechanic who earned something in the period. A mechanic's period is " +
              "settled once.",
        ],
        fields: [
          { name: "period_start", label: "First day", kind: "date" },
          { name: "period_end", label: "First day after it", kind: "date" },
        ],
        initial: () => {
          const { monday, next } = lastWeek(new Date());
          return { period_start: monday, period_end: next };
        },
        confirm: "Run",
        send: (_, values) =>
          api.POST("/admin/settlements/run", {
            body: { period_start: values["period_start"] ?? "", period_end: values["period_end"] ?? "" },
          }),
        done: (_, answer) => settlementsOf((answer as Schemas["Page_Settlement"]).total),
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
        says: (row) => [`Net ${money(row.net)}. This notes that it was paid, once.`],
        fields: [reference("How the payment is found again at the bank")],
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

function dayBefore(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}
