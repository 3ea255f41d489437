// The meaning of the servers' state, and what to do about it.
import type { Schemas } from "$shared/api/client";
import { number } from "$shared/text/format";
import { age } from "../../parts/age";
import { shortId } from "../../parts/words";
import { seconds } from "../figures/numbers";

type State = Schemas["ClusterState"];
type Node = Schemas["ClusterNode"];
type TakeOver = Schemas["TakeOver"];

/** A larger difference of clocks is worth a warning. */
const SUSPICIOUS_MS = 1_000;
/** A server with a larger difference of its clock is not ready. */
const INTOLERABLE_MS = 5_000;
/** Servers report every second; a server that is silent for longer may be gone. */
const SILENT_MS = 3_000;

export interface Said {
  kind: "good" | "warn" | "bad";
  text: string;
}

/** Returns the overall state in a sentence. */
export function standing({ bus, engine, nodes }: State): Said {
  const isLeading = nodes[0]?.is_leading === true;
  if (bus && !bus.is_connected)
    return {
      kind: "bad",
      text:
        (isLeading
          ? "This server leads, but is not connected to NATS: the others answer reads, and commands with an error."
          : "This server is not connected to NATS: it answers reads, and commands with an error.") +
        " Check that NATS runs and can be reached.",
    };
  if (!engine.is_answering)
    return {
      kind: "bad",
      text: bus
        ? "The engine does not answer: another server takes over within a few seconds. " +
          "If none does, check the servers’ logs."
        : "The engine does not answer. Check the server’s log.",
    };
  if (!bus) return { kind: "good", text: "This server serves alone, and its engine answers." };
  return {
    kind: "good",
    text: `${number(nodes.length)} ${nodes.length === 1 ? "server" : "servers"}, the engine answers.`,
  };
}

/** Returns everything else that needs attention. */
export function warnings({ bus, nodes }: State): Said[] {
  const said: Said[] = [];
  if (new Set(nodes.map((node) => node.release)).size > 1)
    said.push({ kind: "warn", text: "Servers run different releases: finish the upgrade." });
  for (const node of inOrder(nodes)) {
    const kind = clockKind(node);
    if (kind === null) continue;
    const notReady = kind === "bad" ? ", so it is not ready" : "";
    const difference = `${clock(node)} ${(node.clock_ahead_ms ?? 0) > 0 ? "of " : ""}the database’s`;
    said.push({ kind, text: `The clock of server ${shortId(node.id)} is ${difference}${notReady}. Set both by NTP.` });
  }
  const lost = bus?.lost_messages ?? 0;
  if (lost > 0) {
    const what = `${number(lost)} ${lost === 1 ? "message" : "messages"} since its start`;
    const text = `Server ${shortId(nodes[0]?.id ?? "")} lost ${what}.`;
    said.push({ kind: "warn", text: `${text} If it loses more, check its load and its network to NATS.` });
  }
  return said;
}

/** Sorts the servers, the oldest first, because each request may be answered by another one. */
export function inOrder(nodes: readonly Node[]): Node[] {
  return [...nodes].sort((a, b) => Date.parse(a.since) - Date.parse(b.since) || a.id.localeCompare(b.id));
}

export function clockKind({ clock_ahead_ms: ahead }: Node): "warn" | "bad" | null {
  const off = Math.abs(ahead ?? 0);
  return off > INTOLERABLE_MS ? "bad" : off > SUSPICIOUS_MS ? "warn" : null;
}

/** Describes the difference between a server's clock and the database's. */
export function clock({ clock_ahead_ms: ahead }: Node): string {
  if (ahead === null) return "–";
  if (ahead === 0) return "None";
  return `${span(Math.abs(ahead))} ${ahead > 0 ? "ahead" : "behind"}`;
}

export const isSilent = (node: Node): boolean => node.heard_ms_ago > SILENT_MS;

export const heard = (node: Node): string =>
  node.heard_ms_ago > SILENT_MS ? `${age(node.heard_ms_ago / 1000)} ago` : "Just now";

/** Describes how long the engine took to load after a take-over. */
export function loading({ term, server, led_at, ready_at }: TakeOver, { nodes, take_overs }: State): string {
  if (ready_at !== null) return span(Math.max(0, Date.parse(ready_at) - Date.parse(led_at)));
  const isNewest = take_overs.every((other) => other.term <= term);
  const isAtIt = isNewest && nodes.some((node) => node.id === server && node.is_leading);
  return isAtIt ? "Not finished yet" : "Did not finish";
}

function span(ms: number): string {
  if (ms < 1_000) return `${number(ms)} ms`;
  return ms < 10_000 ? `${number(ms / 1_000, 1)} s` : seconds(ms / 1_000);
}
