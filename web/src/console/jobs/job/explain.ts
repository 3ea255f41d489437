// Why each mechanic was, or was not, offered a job: as steps, words and points around the pickup.
import type { Schemas } from "$shared/api/client";
import { duration } from "$shared/text/format";

type Decision = Schemas["DispatchDecision"];
type Candidate = Schemas["DispatchCandidate"];

/** The way in which a candidate is drawn. */
export type Standing = "accepted" | "offered" | "declined" | "expired" | "revoked" | "passed" | "unfit";

export const standings: Record<Standing, string> = {
  accepted: "Accepted",
  offered: "Has the offer",
  declined: "Declined",
  expired: "Let it expire",
  revoked: "Offer taken back",
  passed: "Passed over",
  unfit: "Could not serve",
};

export function standing(candidate: Candidate): Standing {
  if (candidate.verdict !== "offered") return candidate.verdict;
  const status = candidate.offer?.status ?? "pending";
  return status === "pending" ? "offered" : status;
}

const reasons: Record<Schemas["DispatchReason"], string> = {
  costs_more: "Another mechanic costs less in all",
  matched_with_another_job: "Serves another waiting job better",
  kept_for_other_jobs: "Kept for jobs that wait for their first offer",
  not_reserved: "Was engaged otherwise at that moment",
  held_back: "Their time is worth more elsewhere now",
  engaged: "On a job, or has another offer",
  stale_position: "Position too old",
  vehicle_type: "Does not serve this type of vehicle",
  service_category: "Does not offer this kind of help",
  outside_own_radius: "Farther than they are willing to come",
  excluded: "Declined this job before, let its offers expire, gave it back or was taken off it",
};
export const reasonText = (reason: string): string =>
  reasons[reason as Schemas["DispatchReason"]] ?? reason.replaceAll("_", " ");

/** Describes the outcome for a candidate, and its reason. */
export function why(candidate: Candidate): string {
  if (candidate.verdict !== "offered") {
    const { reason, terms, note } = candidate;
    const numbers = reason === "held_back" && terms?.foresight ? worth(terms.foresight) : note;
    return [reason ? reasonText(reason) : standings[candidate.verdict], numbers].filter(Boolean).join(". ");
  }
  const words = candidate.offer?.decline_reason;
  const now = standing(candidate);
  return standings[now] + (now === "declined" && words ? `: “${words}”` : "");
}

/** Explains why a mechanic's time is kept for other jobs. The service's own note gives it in seconds. */
function worth({
  busy_s,
  price_s,
  worth_s,
  late_s,
  chance_in_time_percent,
}: NonNullable<Schemas["DispatchTerms"]["foresight"]>): string {
  const worth = worth_s > late_s ? duration(worth_s - late_s) : "nothing";
  return (
    `The job takes ${duration(busy_s)} of their time, which would save ${duration(price_s)} of waiting elsewhere ` +
    `and is worth ${worth} here (${Math.round(chance_in_time_percent)} % likely to be in time)`
  );
}

/** Returns the cost of a candidate, part by part. */
export function cost(candidate: Candidate): [string, number][] {
  const terms = candidate.terms;
  if (!terms) return [];
  const parts: [string, number][] = [
    ["Way to the pickup", terms.eta_s],
    ["Chance that they refuse", terms.refusal_s],
    ["Has been idle", terms.idle_s],
    ["Their time, missing elsewhere", terms.foresight?.price_s ?? 0],
    ["Chance of being late", terms.foresight?.late_s ?? 0],
  ];
  return parts.filter(([, seconds], index) => index === 0 || seconds !== 0);
}

/** Describes a decision in a few sentences. */
export function tell(decision: Decision): string {
  const offered = decision.considered.filter((candidate) => candidate.verdict === "offered");
  const total = decision.considered.length + decision.omitted;
  const sentences = [
    `Round ${decision.round} looked ${decision.ring_km} km around the ` +
      `pickup${decision.looks > 1 ? `, ${decision.looks} times` : ""}.`,
  ];
  if (total === 0) sentences.push("No mechanic was online there.");
  else if (offered.length > 0) {
    const names = offered.map((candidate) => candidate.name ?? "a mechanic").join(", ");
    sentences.push(`Of ${total} ${total === 1 ? "mechanic" : "mechanics"}, the job was offered to ${names}.`);
  } else {
    const unfit = decision.considered.filter((candidate) => candidate.verdict === "unfit").length;
    sentences.push(
      `Of ${total} ${total === 1 ? "mechanic" : "mechanics"}, none was offered the job: ${unfit} could not ` +
        `serve it${total > unfit ? `, ${total - unfit} fit but were needed elsewhere` : ""}.`,
    );
  }
  const [first] = offered;
  if (first?.terms)
    sentences.push(
      `${first.name ?? "They"} could arrive in ${duration(first.terms.eta_s)}, and cost the least in all.`,
    );
  if (decision.competing_jobs > 1) sentences.push(`${decision.competing_jobs} waiting jobs were decided together.`);
  if (decision.priority_s >= 30)
    sentences.push(`Its long wait counted like a way shorter by ${duration(decision.priority_s)}.`);
  return sentences.join(" ");
}

const EARTH_M = 6_371_000;

/** Returns the point at a distance and direction, in degrees clockwise from north. */
export function pointAt(
  from: { lat: number; lng: number },
  metres: number,
  bearing: number,
): { lat: number; lng: number } {
  const turn = (bearing * Math.PI) / 180;
  const angle = metres / EARTH_M;
  const lat1 = (from.lat * Math.PI) / 180;
  const lat2 = Math.asin(Math.sin(lat1) * Math.cos(angle) + Math.cos(lat1) * Math.sin(angle) * Math.cos(turn));
  const lng2 =
    (from.lng * Math.PI) / 180 +
    Math.atan2(Math.sin(turn) * Math.sin(angle) * Math.cos(lat1), Math.cos(angle) - Math.sin(lat1) * Math.sin(lat2));
  return { lat: (lat2 * 180) / Math.PI, lng: (lng2 * 180) / Math.PI };
}

/** Returns a ring around a point, as a polygon's outline. */
export function ring(around: { lat: number; lng: number }, metres: number, corners = 96): number[][] {
  return Array.from({ length: corners + 1 }, (_, index) => {
    const { lat, lng } = pointAt(around, metres, (index % corners) * (360 / corners));
    return [lng, lat];
  });
}

/**
 * Returns a direction for each mechanic, the same in every round: records have distances, not places. They are spread
 * evenly, so that points at one distance do not cover each other.
 */
export function directions(decisions: Decision[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const decision of decisions) {
    for (const { mechanic_profile_id: id } of decision.considered) {
      // The golden angle: for any number of mechanics, neighbours are far apart.
      if (!found.has(id)) found.set(id, (found.size * 137.508 + 20) % 360);
    }
  }
  return found;
}
