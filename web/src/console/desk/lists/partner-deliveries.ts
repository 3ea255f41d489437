// The list of the events that were sent, or could not be sent, to partners.
import { age, code, link, soft, status, time, words, type Cell } from "../list/cells";
import { desks } from "../../shell/desks.svelte";
import { cases } from "../../parts/desk";
import type { Schemas } from "$shared/api/client";
import { list } from "../list/list";
import { organisationNames } from "../partners/names.svelte";
import { organisation } from "../partners/words";
import { choice, from, organisationFilter, to } from "./filters";

const standing = (of: Schemas["WebhookDeliveryStatus"]): Cell => status(of, of === "delivered" ? "good" : undefined);

export const partnerDeliveries = list("/admin/partner-deliveries", {
  title: "Deliveries",
  about: "Events on their way to partners. A failed one is tried again for a day, then it is dead until replayed.",
  empty: "No deliveries with these filters.",
  filters: [organisationFilter, choice("status", "Status", ["pending", "delivered", "dead"]), from, to],
  id: (row) => row.id,
  columns: [
    { title: "Partner", cell: (row) => organisationNames.of(row.organisation_id) },
    { title: "Event", cell: (row) => code(row.type) },
    { title: "No.", cell: (row) => row.seq, numeric: true },
    { title: "Status", cell: (row) => standing(row.status) },
    { title: "Answer", cell: (row) => [row.answer_status, soft(row.failure)] },
    { title: "Tries", cell: (row) => row.tries, numeric: true, extra: true },
    { title: "Age", cell: (row) => age(row.created_at), numeric: true },
  ],
  mark: (row) => (row.status === "dead" ? "bad" : row.failure !== null && row.status === "pending" ? "warn" : null),
  heading: (row) => `${row.type} to ${organisationNames.of(row.organisation_id)}`,
  facts: (row) => [
    ["Status", standing(row.status)],
    ["Answer", row.answer_status],
    ["Failure", words(row.failure)],
    ["Tries", row.tries],
    ["Next try", time(row.next_try_at)],
    ["Made", time(row.created_at)],
    ["Settled", time(row.settled_at)],
    ["Partner", organisation(row.organisation_id, organisationNames.of(row.organisation_id))],
    ["Case", desks.has(...cases) ? link(`/partner-cases/${row.case_id}`, "See the case") : code(row.case_id)],
    ["Subscription", code(row.subscription_id)],
    ["Event", code(row.event_id)],
  ],
});
