// The codes of partners in everyday words.
import type { Schemas } from "$shared/api/client";
import { dateTime } from "$shared/text/format";
import { promiseView } from "$shared/partners/rules";
import { categories } from "../../parts/categories.svelte";
import { sentence } from "../../parts/words";
import { desks } from "../../shell/desks.svelte";
import { badge, link, status, type Cell, type Tone } from "../list/cells";

export const organisationKinds: Record<Schemas["OrganisationKind"], string> = {
  insurer: "Insurer",
  club: "Motor club",
  manufacturer: "Carmaker",
  lessor: "Lessor",
  fleet: "Fleet",
  agency: "Agency that acts for others",
  other: "Another organisation",
};

export const memberRoles: Record<Schemas["MemberRole"], string> = {
  manager: "Manager: also keys and webhooks",
  dispatcher: "Dispatcher: makes cases and decides about them",
  viewer: "Viewer: follows cases",
};

export const caseStatuses: Record<Schemas["CaseStatus"], string> = {
  offered: "Offered to us",
  open: "Open",
  closed: "Closed",
  refused: "Refused",
  expired: "Expired",
  withdrawn: "Withdrawn",
};
const caseTones: Record<Schemas["CaseStatus"], Tone> = {
  offered: "warn",
  open: "info",
  closed: "plain",
  refused: "plain",
  expired: "bad",
  withdrawn: "plain",
};
export const caseStatus = (of: Schemas["CaseStatus"]): Cell => badge(caseStatuses[of], caseTones[of]);

export const refusals: Record<Schemas["ClubRefusalReason"], string> = {
  no_mechanic_free: "No mechanic is free in time",
  outside_area: "The place is outside our area",
  no_equipment: "We don’t have the equipment",
  vehicle_too_heavy: "The vehicle is too heavy for us",
  terms: "The contract does not cover it",
  other: "Another reason",
};

export const documentKinds: Record<Schemas["CaseDocumentKind"], string> = {
  police_report: "Police report",
  policy: "Policy or proof of cover",
  photo: "Photo",
  signed_order: "Signed order",
  other: "Other document",
};

export const outcomes: Record<Schemas["OutcomeKind"], string> = {
  completed: "Completed",
  gone_on_arrival: "Gone on arrival",
  unsuccessful: "Unsuccessful",
  destination_refused: "Destination refused",
  cancelled_by_partner: "Cancelled by the partner",
  cancelled_by_us: "Cancelled by us",
  promise_missed: "Came after the promise",
  no_mechanic: "No mechanic found",
};
const outcomeNames = new Map(Object.entries(outcomes));
export const outcome = (of: string): Cell =>
  badge(outcomeNames.get(of) ?? sentence(of), of === "completed" ? "good" : "warn");

/** Describes a job's promise of arrival. */
export function promise(job: Pick<Schemas["JobSnapshot"], "promise" | "arrived_at" | "status">): Cell {
  const { view, at } = promiseView(job);
  const by = at === null ? "" : dateTime(at);
  const views: Record<typeof view, Cell> = {
    none: null,
    to_decide: [badge("The partner decides", "warn"), by],
    refused: badge("Refused by the partner", "bad"),
    due: [badge("Promised", "info"), by],
    missed: [badge("Missed", "bad"), by],
    kept: [badge("Kept", "good"), by],
  };
  return views[view];
}

/** Returns the name of a kind of help, of which partners' programs know only the slug. */
export const help = (slug: string): string =>
  categories.all.find((category) => category.slug === slug)?.name ?? sentence(slug.replaceAll("-", "_"));

/** Returns an organisation's status. */
export const active = (of: Schemas["OrganisationStatus"]): Cell => status(of, of === "active" ? "good" : "bad");

/** Returns an organisation's name, as a link for admins who may open its page. */
export const organisation = (id: string, name: string): Cell =>
  desks.has("settings") ? link(`/organisations/${id}`, name) : name;
