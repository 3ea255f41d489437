// The list of partners' bills.
import { sumsOf } from "$shared/partners/rules";
import { code, job, link, rupees, soft, time } from "../list/cells";
import { list } from "../list/list";
import { organisation, outcome, outcomes } from "../partners/words";
import { choice, from, organisationFilter, to } from "./filters";

export const partnerBills = list("/admin/partner-bills", {
  title: "Partner bills",
  about: "What partners pay for each job by its outcome and their contract. The sums are those of the shown page.",
  empty: "No bills with these filters.",
  filters: [organisationFilter, choice("outcome", "Outcome", outcomes), from, to],
  id: (row) => row.id,
  columns: [
    { title: "Partner", cell: (row) => row.organisation_name },
    { title: "Reference", cell: (row) => [row.partner_reference, soft(row.purchase_order)] },
    { title: "Outcome", cell: (row) => outcome(row.outcome) },
    { title: "Price", cell: (row) => rupees(row.price), numeric: true },
    { title: "Partner pays", cell: (row) => rupees(row.payable), numeric: true },
    { title: "Driver pays", cell: (row) => rupees(row.driver_pays), numeric: true },
    { title: "Decided", cell: (row) => time(row.decided_at), numeric: true },
  ],
  sums: (rows) => {
    const { price, payable, driver_pays } = sumsOf(rows);
    return [
      ["Prices", rupees(price)],
      ["Partners pay", rupees(payable)],
      ["Drivers pay", rupees(driver_pays)],
    ];
  },
  heading: (row) => `${row.organisation_name}, ${row.partner_reference}`,
  facts: (row) => [
    ["Outcome", outcome(row.outcome)],
    ["Price", rupees(row.price)],
    ["The partner pays", rupees(row.payable)],
    ["The driver pays", rupees(row.driver_pays)],
    ["Booked for the work", rupees(row.booked)],
    ["Contract", row.contract_reference],
    ["Purchase order", row.purchase_order],
    ["Partner", organisation(row.organisation_id, row.organisation_name)],
    ["Case", link(`/partner-cases/${row.case_id}`, row.partner_reference)],
    ["Job", job(row.job_id, "See the job")],
    ["Accepted", time(row.accepted_at)],
    ["Promised", time(row.promised_at)],
    ["Arrived", time(row.arrived_at)],
    ["Ended", time(row.ended_at)],
    ["Decided", time(row.decided_at)],
    ["Id", code(row.job_id)],
  ],
});
