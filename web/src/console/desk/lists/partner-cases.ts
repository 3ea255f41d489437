// The list of partners' cases, with the offers of clubs.
import { secondsLeft } from "$shared/partners/rules";
import { now } from "../../parts/now.svelte";
import { jobStatus } from "../../parts/words";
import { age, code, job, soft, time } from "../list/cells";
import { list } from "../list/list";
import { offerActions } from "../partners/offer-actions";
import { caseStatus, caseStatuses, help, organisation } from "../partners/words";
import { choice, from, organisationFilter, to } from "./filters";

export const partnerCases = list("/admin/partner-cases", {
  title: "Cases",
  about: "Breakdowns that partners reported, each with its jobs. A club’s offer waits here for an answer.",
  empty: "No cases with these filters.",
  filters: [
    choice("status", "Status", caseStatuses),
    organisationFilter,
    { name: "q", label: "Reference", kind: "text", hint: "The whole reference" },
    from,
    to,
  ],
  id: (row) => row.id,
  columns: [
    { title: "Reference", cell: (row) => row.partner_reference },
    { title: "Partner", cell: (row) => row.organisation_name },
    { title: "Who", cell: (row) => [row.beneficiary_name, soft(row.registration_number)] },
    { title: "Help", cell: (row) => row.service_category_slug && help(row.service_category_slug), extra: true },
    { title: "Job", cell: (row) => row.job_status && jobStatus(row.job_status), extra: true },
    {
      title: "Status",
      cell: (row) => [
        caseStatus(row.status),
        row.status === "offered" ? `${secondsLeft(row.offered_until, now.value)} s left` : null,
      ],
    },
    { title: "Age", cell: (row) => age(row.created_at), numeric: true },
  ],
  mark: (row) => (row.status === "offered" ? "warn" : row.status === "expired" ? "bad" : null),
  page: (row) => `/partner-cases/${row.id}`,
  heading: (row) => row.partner_reference,
  facts: (row) => [
    ["Partner", organisation(row.organisation_id, row.organisation_name)],
    ["Contract", row.contract_reference],
    ["Policy", row.policy_reference],
    ["Who", row.beneficiary_name],
    ["Plate", row.registration_number],
    ["Jobs", row.job_count],
    ["Newest job", row.job_status && job(row.job_id, jobStatus(row.job_status))],
    ["Made", time(row.created_at)],
    ["Closed", time(row.closed_at)],
    ["Id", code(row.id)],
  ],
  actions: offerActions,
});
