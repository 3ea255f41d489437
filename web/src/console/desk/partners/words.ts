// The codes of partners in everyday words.
import { dateTime } from "$shared/text/format";
import { promiseView } from "$shared/partners/rules";
import type { BillOutcome, CaseStatus, MemberRole, OrganisationKind, PartnerJob } from "$shared/partners/types";
import { badge, status, type Cell, type Tone } from "../list/cells";

export const organisationKinds: Record<OrganisationKind, string> = {
  insurer: "Insurer",
  club: "Motor club",
  manufacturer: "Carmaker",
  lessor: "Lessor",
  fleet: "Fleet",
  agency: "Agency that acts for others",
  other: "Another organisation",
};

export const memberRoles: Record<MemberRole, string> = {
  manager: "Manager: also keys and webhooks",
  dispatcher: "Dispatcher: cases and approvals",
  viewer: "Viewer: reads cases",
};

export const caseStatuses: Record<CaseStatus, string> = {
  offered: "Offered to us",
  open: "Open",
  closed: "Closed",
  refused: "Refused",
  expired: "Not answered in time",
  withdrawn: "Withdrawn",
};
const caseTones: Record<CaseStatus, Tone> = {
  offered: "warn",
  open: "info",
  closed: "plain",
  refused: "plain",
  expired: "bad",
  withdrawn: "plain",
};
export const caseStatus = (of: CaseStatus): Cell => badge(caseStatuses[of], caseTones[of]);

export const outcomes: Record<BillOutcome, string> = {
  completed: "Completed",
  gone_on_arrival: "Gone on arrival",
  unsuccessful: "Unsuccessful",
  destination_refused: "Destination refused",
  cancelled_by_partner: "Cancelled by the partner",
  cancelled_by_us: "Cancelled by us",
  promise_missed: "Came after the promise",
  no_mechanic: "No mechanic found",
};
export const outcome = (of: BillOutcome | null): Cell =>
  of === null ? null : badge(outcomes[of], of === "completed" ? "good" : "warn");

/** Describes a job's promise of arrival. */
export function promise(job: Pick<PartnerJob, "promise" | "arrived_at">, nowMs: number): Cell {
  const { view, at } = promiseView(job, nowMs);
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

/** Returns an organisation's or a subscription's status. */
export const active = (of: string): Cell => status(of, of === "active" ? "good" : "bad");
