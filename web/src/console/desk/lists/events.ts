// The events that the gateway sent.
import { api } from "$shared/api/client";
import { byId, reason } from "../actions/action";
import { age, code, DAY_S, HOUR_S, status, time, words } from "../list/cells";
import { list } from "../list/list";
import Payload from "../money/Payload.svelte";
import { choice } from "./filters";

export const webhookEvents = list("/admin/webhook-events", {
  title: "Webhook events",
  about:
    "What the payment gateway sent. A dead one failed on every try: replay it once its cause is gone, or dismiss it.",
  empty: "No events with these filters.",
  waiting: ["dead_webhooks"],
  filters: [
    choice("status", "Status", ["pending", "processed", "ignored", "dead"]),
    { name: "event", label: "Event", kind: "text", hint: "payment.captured" },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Event", cell: (row) => row.event },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Tries", cell: (row) => row.attempts, numeric: true },
    { title: "Last error", cell: (row) => words(row.last_error) },
    {
      title: "Received",
      cell: (row) =>
        age(
          row.received_at,
          row.status === "pending" ? HOUR_S / 60 : Infinity,
          row.status === "dead" ? DAY_S : Infinity,
        ),
      numeric: true,
    },
  ],
  mark: (row) => (row.status === "dead" ? "bad" : null),
  heading: (row) => row.event,
  facts: (row) => [
    ["Status", status(row.status)],
    ["Last error", words(row.last_error)],
    ["Tries", row.attempts],
    ["Next try", time(row.next_try_at)],
    ["Received", time(row.received_at)],
    ["Processed", time(row.settled_at)],
    ["Gateway", row.gateway],
    ["Event's id", code(row.event_id)],
  ],
  more: Payload,
  actions: [
    {
      key: "p",
      name: "Replay",
      when: (row) => row.status !== "pending",
      many: (rows) => ({
        title: `Replay ${rows.length} events`,
        says: ["They are processed again from the beginning. What they already did is not done twice."],
      }),
      form: {
        title: (row) => `Replay ${row.event}`,
        says: (row) => [
          "The event is processed again from the beginning. What it already did is not done twice.",
          ...(row.last_error ? [`The last try said: ${row.last_error}`] : []),
        ],
        confirm: "Replay",
        send: (row) => api.POST("/admin/webhook-events/{id}/replay", { params: { path: { id: row.id } } }),
        done: () => "Event replayed",
      },
    },
    {
      key: "x",
      name: "Dismiss",
      when: (row) => row.status === "dead",
      many: (rows) => ({
        title: `Dismiss ${rows.length} events`,
        says: ["They count as ignored from now on, and can still be replayed."],
      }),
      form: {
        title: (row) => `Dismiss ${row.event}`,
        says: () => ["It counts as ignored from now on, and can still be replayed."],
        fields: [
          reason("Kept in the audit log", ["Dealt with at the gateway.", "Belongs to another service of ours."]),
        ],
        confirm: "Dismiss",
        send: (row, values) =>
          api.POST("/admin/webhook-events/{id}/dismiss", { ...byId(row.id), body: { reason: values["reason"] ?? "" } }),
        done: () => "Event dismissed",
      },
    },
  ],
});
