// The list of partners' cases, with the offers of clubs.
import { secondsLeft } from "$shared/partners/rules";
import { now } from "../../parts/now.svelte";
import { jobStatus } from "../../parts/words";
import { age, code, job, link, phone, several, soft, time, words } from "../list/cells";
import { list } from "../list/list";
import { acceptOffer, askForCall, refuseOffer } from "../partners/offer-actions";
import { caseStatus, caseStatuses } from "../partners/words";
import { choice, organisationFilter } from "./filters";

export const partnerCases = list("/admin/partner-cases", {
  title: "Cases",
  about: "Breakdowns that partners reported, each with its jobs. What a club offers waits here for an answer.",
  empty: "No cases with these filters.",
  filters: [
    choice("status", "Status", caseStatuses),
    organisationFilter,
    { name: "q", label: "Reference, plate, name", kind: "text", least: 2 },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Reference", cell: (row) => row.partner_reference },
    { title: "Partner", cell: (row) => row.organisation.name },
    { title: "Who", cell: (row) => [row.beneficiary.name, soft(row.vehicle?.registration_number)] },
    {
      title: "Jobs",
      cell: (row) =>
        several(
          row.jobs.map(({ status }) => jobStatus(status)),
          2,
        ),
      extra: true,
    },
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
    ["Partner", link(`/organisations/${row.organisation.id}`, row.organisation.name)],
    ["Phone", phone(row.organisation.phone)],
    ["Contract", row.contract_reference],
    ["Policy", row.policy_reference],
    ["Who", row.beneficiary.name],
    ["Phone there", phone(row.beneficiary.phone)],
    ["Plate", row.vehicle?.registration_number ?? null],
    ["Jobs", row.jobs.map(({ id, status }) => job(id, jobStatus(status)))],
    ["Internal notes", words(row.internal_notes)],
    ["Made", time(row.created_at)],
    ["Id", code(row.id)],
  ],
  actions: [acceptOffer, refuseOffer, askForCall],
});
