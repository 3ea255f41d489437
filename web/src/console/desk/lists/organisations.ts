// The list of partners' organisations.
import { age, code, phone, time } from "../list/cells";
import { list } from "../list/list";
import {
  changeOrganisation,
  createOrganisation,
  resumeOrganisation,
  suspendOrganisation,
} from "../partners/organisation-actions";
import { active, organisationKinds } from "../partners/words";
import { choice, from, to } from "./filters";

export const organisations = list("/admin/organisations", {
  title: "Organisations",
  about: "Insurers, clubs, fleets and others who send jobs and pay for them. Open one for members, keys, contracts.",
  empty: "No organisations with these filters. You can make one.",
  filters: [
    { name: "q", label: "Name", kind: "text", least: 2 },
    choice("kind", "Kind", organisationKinds),
    choice("status", "Status", ["active", "suspended"]),
    from,
    to,
  ],
  id: (row) => row.id,
  columns: [
    { title: "Name", cell: (row) => row.name },
    { title: "Kind", cell: (row) => organisationKinds[row.kind] },
    { title: "Phone", cell: (row) => phone(row.phone), extra: true },
    { title: "Status", cell: (row) => active(row.status) },
    { title: "Since", cell: (row) => age(row.created_at), numeric: true },
  ],
  page: (row) => `/organisations/${row.id}`,
  heading: (row) => row.name,
  facts: (row) => [
    ["Kind", organisationKinds[row.kind]],
    ["Phone", phone(row.phone)],
    ["Email", row.email],
    ["Status", active(row.status)],
    ["Since", time(row.created_at)],
    ["Id", code(row.id)],
  ],
  listActions: [createOrganisation],
  actions: [changeOrganisation, suspendOrganisation, resumeOrganisation],
});
