// The events of a job, in words.
import type { Schemas } from "$shared/api/client";
import { concern, sentence } from "../../parts/words";

type Entry = Schemas["TimelineEntry"];

const who: Record<string, string> = {
  customer: "the customer",
  mechanic: "the mechanic",
  admin: "an admin",
  system: "the service",
};

/** The rules that an admin overrode, after "although". */
const overridden: Record<string, string> = {
  engaged: "the mechanic had another job or offer",
  stale_position: "their position was old",
  vehicle_type: "they do not serve this type of vehicle",
  service_category: "they do not offer this kind of help",
  outside_own_radius: "it is farther than they are willing to come",
  excluded: "they had declined this job, given it back or lost it before",
};

/** Events that say the same whatever is in them. */
const plain: Record<string, string> = {
  navigating: "The mechanic opened a maps app",
  back_in_app: "The mechanic is back in the app",
  no_mechanic_found: "The search ended without a mechanic",
  en_route: "The mechanic set out",
  in_progress: "The work began",
  loaded: "The vehicle is loaded",
  no_show_contested: "The customer contested the no-show",
  no_show_decided: "An admin decided about the no-show",
  paid: "Paid",
  payment: "A payment changed",
};

function text(data: Record<string, unknown>, name: string): string | null {
  const value = data[name];
  return typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null;
}

function lower(value: unknown): string {
  return sentence(String(value)).toLowerCase();
}

function list(values: unknown): string | null {
  return Array.isArray(values) ? values.map(lower).join(", ") : null;
}

function concernOf(data: Record<string, unknown>): string {
  return (concern[data["concern"] as Schemas["JobConcern"]] ?? sentence(String(data["concern"]))).toLowerCase();
}

/** Merges consecutive entries with the same text: the last one stays. */
export function folded(entries: Entry[]): Entry[] {
  return entries.filter((entry, index) => {
    const next = entries[index + 1];
    return !(next && entry.event === "payment" && next.event === "payment");
  });
}

/** Describes an entry of the timeline in one line. */
export function tell(entry: Entry): string {
  const data = entry.data as Record<string, unknown>;
  const by = who[entry.by] ?? entry.by;
  const round = text(data, "round");
  const override = text(data, "override_reason");
  switch (entry.event) {
    case "created":
      return entry.by === "admin" ? "Made by an admin for the customer" : "The customer called for help";
    case "dispatching":
      return `The search began${round && round !== "1" ? ` with round ${round}` : ""}`;
    case "retried":
      return `The search began again, by ${by}`;
    case "accepted": {
      if (data["taken_back"] === true) return "The mechanic who had lost it took it back";
      if (entry.by !== "admin") return "A mechanic accepted";
      const rules = Array.isArray(data["overridden_rules"]) ? data["overridden_rules"].map(String) : [];
      const against = rules.map((rule) => overridden[rule] ?? lower(rule));
      const despite = against.length > 0 ? `, although ${against.join(" and ")}` : "";
      return `Assigned by an admin${despite}${override ? ` (“${override}”)` : ""}`;
    }
    case "delayed":
      return `Concern: ${concernOf(data)}`;
    case "recovered":
      return `Concern is over: ${concernOf(data)}`;
    case "arrived": {
      const away = Number(data["distance_m"]);
      return override
        ? `The mechanic says they arrived: “${override}”`
        : `The mechanic arrived${away > 50 ? `, ${Math.round(away)} m from the pickup` : ""}`;
    }
    case "completed":
      return (
        `The work ended: ${lower(data["outcome"] ?? "done")}` +
        (override ? `, by the mechanic's word: “${override}”` : "")
      );
    case "released":
      if (data["by_mechanic"] === true) return `The mechanic gave the job back: ${lower(data["reason_code"])}`;
      return entry.by === "admin"
        ? "An admin took the job from the mechanic"
        : `The job was taken from the mechanic: ${lower(data["reason_code"])}`;
    case "cancelled":
      return `Cancelled by ${by}${text(data, "reason_code") ? `: ${lower(data["reason_code"])}` : ""}`;
    case "corrected":
      return `Corrected by ${by}: ${list(data["fields"]) ?? "details"}`;
    case "line_item_proposed":
    case "line_item_amended":
    case "line_item_withdrawn":
    case "line_item_approved":
    case "line_item_rejected": {
      const what = text(data, "description");
      return `Item ${entry.event.slice("line_item_".length)}${what ? `: ${what}` : ""}`;
    }
    case "disputed":
      return `Disputed by ${by}`;
    case "resolved":
      return `The dispute was resolved by ${by}`;
    default:
      return plain[entry.event] ?? sentence(entry.event);
  }
}
