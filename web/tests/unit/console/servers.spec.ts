// The texts of the page of servers, without a browser.
import { expect, test } from "vitest";
import type { Schemas } from "../../../src/shared/api/client";
import {
  clock,
  clockKind,
  heard,
  inOrder,
  loading,
  standing,
  warnings,
} from "../../../src/console/desk/servers/servers";

type State = Schemas["ClusterState"];

const node = (id: string, change: Partial<Schemas["ClusterNode"]> = {}): Schemas["ClusterNode"] => ({
  id: `00000000-0000-4000-8000-0000${id}`,
  release: "0.1.0",
  since: "2026-03-14T06:00:00.000Z",
  is_leading: false,
  is_draining: false,
  sockets: 0,
  clock_ahead_ms: 0,
  heard_ms_ago: 0,
  ...change,
});
const [a, b, c] = [node("aaaaaaaa", { is_leading: true }), node("bbbbbbbb"), node("cccccccc")];
const takeOver = (change: Partial<Schemas["TakeOver"]> = {}): Schemas["TakeOver"] => ({
  term: 7,
  server: a.id,
  release: "0.1.0",
  led_at: "2026-03-14T06:05:02.110Z",
  ready_at: "2026-03-14T06:05:02.480Z",
  ...change,
});
const state = (change: Partial<State> = {}): State => ({
  at: "2026-03-14T08:00:00.000Z",
  bus: { is_connected: true, lost_messages: 0 },
  engine: { server: a.id, is_answering: true },
  nodes: [a, b, c],
  take_overs: [takeOver()],
  ...change,
});
const texts = (change: Partial<State>) => warnings(state(change)).map(({ text }) => text);

test("one sentence says whether all is well", () => {
  const cut = { is_connected: false, lost_messages: 0 };
  const silent = { server: a.id, is_answering: false };
  expect(standing(state())).toEqual({ kind: "good", text: "3 servers, the engine answers." });
  expect(standing(state({ nodes: [a] })).text).toBe("1 server, the engine answers.");
  expect(standing(state({ bus: null, nodes: [a] }))).toEqual({
    kind: "good",
    text: "This server serves alone, and its engine answers.",
  });
  expect(standing(state({ engine: silent })).text).toContain("another server takes over within a few seconds");
  expect(standing(state({ bus: null, nodes: [a], engine: silent }))).toEqual({
    kind: "bad",
    text: "The engine does not answer. Check the server’s log.",
  });
  // Without NATS only the leader's own engine answers it.
  expect(standing(state({ bus: cut, nodes: [a] })).text).toMatch(/^This server leads, but is not connected to NATS/);
  expect(standing(state({ bus: cut, nodes: [b], engine: silent })).text).toMatch(
    /^This server is not connected to NATS: it answers reads, and commands with an error\./,
  );
});

test("different releases, wrong clocks and lost messages are pointed out", () => {
  expect(texts({})).toEqual([]);
  expect(texts({ nodes: [a, node("bbbbbbbb", { release: "0.2.0" })] })).toEqual([
    "Servers run different releases: finish the upgrade.",
  ]);
  expect(texts({ nodes: [a, node("bbbbbbbb", { clock_ahead_ms: -1_400 })] })).toEqual([
    "The clock of server bbbbbbbb is 1.4 s behind the database’s. Set both by NTP.",
  ]);
  expect(texts({ nodes: [node("aaaaaaaa", { clock_ahead_ms: 12_000 }), b] })).toEqual([
    "The clock of server aaaaaaaa is 12 s ahead of the database’s, so it is not ready. Set both by NTP.",
  ]);
  expect(texts({ bus: { is_connected: true, lost_messages: 1 } })).toEqual([
    "Server aaaaaaaa lost 1 message since its start. If it loses more, check its load and its network to NATS.",
  ]);
});

test("a clock within a second is right, and one that nobody compared is a dash", () => {
  const at = (clock_ahead_ms: number | null) => node("aaaaaaaa", { clock_ahead_ms });
  expect([null, 0, 3, -12, 1_000, 1_001, -5_001].map((ms) => [clock(at(ms)), clockKind(at(ms))])).toEqual([
    ["–", null],
    ["None", null],
    ["3 ms ahead", null],
    ["12 ms behind", null],
    ["1 s ahead", null],
    ["1 s ahead", "warn"],
    ["5 s behind", "bad"],
  ]);
});

test("servers keep their places whichever of them answers, and silence is shown", () => {
  const younger = node("00000000", { since: "2026-03-14T07:00:00.000Z" });
  expect(inOrder([younger, c, a, b])).toEqual([a, b, c, younger]);
  expect([0, 3_000, 6_400].map((heard_ms_ago) => heard(node("aaaaaaaa", { heard_ms_ago })))).toEqual([
    "Just now",
    "Just now",
    "6 s ago",
  ]);
});

test("a take-over took its time, still loads, or did not finish", () => {
  const took = (change: Partial<Schemas["TakeOver"]>, take_overs = [takeOver()]) =>
    loading(takeOver(change), state({ take_overs }));
  expect(took({})).toBe("370 ms");
  expect(took({ ready_at: "2026-03-14T06:05:04.510Z" })).toBe("2.4 s");
  expect(took({ ready_at: "2026-03-14T06:05:32.110Z" })).toBe("30 s");
  expect(took({ ready_at: null })).toBe("Not finished yet");
  expect(took({ ready_at: null, server: b.id })).toBe("Did not finish");
  expect(took({ ready_at: null, term: 6 })).toBe("Did not finish");
});
