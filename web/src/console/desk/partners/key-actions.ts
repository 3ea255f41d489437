// The actions on an organisation's keys.
import { api, type Schemas } from "$shared/api/client";
import { byId, parts, type Action, type FormField } from "../actions/action";

type Key = Schemas["PartnerKey"];
type Organisation = Schemas["Organisation"];
/** Takes a key that was just made: its secret is shown once. */
export type TakeKey = (key: Schemas["NewlyMadeKey"]) => void;

const scopes: Record<Schemas["KeyScope"], string> = {
  read: "read: see cases, jobs and bills",
  cases: "cases: make cases and cancel jobs",
  approvals: "approvals: decide on promises and extra work",
  webhooks: "webhooks: subscriptions and deliveries",
  keys: "keys: make and revoke keys",
  offers: "offers: offer us jobs, as a club does",
};

const fields: FormField[] = [
  { name: "name", label: "Name", kind: "text", most: 100, hint: "The program that uses it" },
  { name: "scopes", label: "Scopes", kind: "several", options: Object.entries(scopes) },
  { name: "expires_in_days", label: "Expires after days", kind: "count", hint: "At most 730" },
  { name: "requests_per_minute", label: "Requests per minute", kind: "count", optional: true, hint: "Empty: 600" },
];

/** `others` are the organisations for which an agency's key may act. */
export const createKey = (take: TakeKey, others: Organisation[]): Action<Organisation> => ({
  key: "k",
  name: "New key",
  form: {
    title: ({ name }) => `New key for ${name}`,
    says: () => ["The key is shown once, when it is made. Its scopes never change."],
    fields: [...fields, ...(others.length === 0 ? [] : [actsFor(others)])],
    initial: ({ kind }) => ({
      scopes: kind === "club" ? "read,offers" : "read,cases,approvals",
      expires_in_days: "365",
    }),
    confirm: "Make the key",
    send: ({ id }, values) =>
      api.POST("/admin/organisations/{id}/keys", {
        ...byId(id),
        body: {
          name: values["name"] ?? "",
          scopes: parts(values["scopes"]) as Schemas["KeyScope"][],
          expires_in_days: Number(values["expires_in_days"]),
          ...(values["requests_per_minute"] && { requests_per_minute: Number(values["requests_per_minute"]) }),
          ...(values["acts_for"] && { acts_for: parts(values["acts_for"]) }),
        },
      }),
    done: () => "Key made: copy it now",
    answered: (made) => take(made as Schemas["NewlyMadeKey"]),
  },
});

const actsFor = (others: Organisation[]): FormField => ({
  name: "acts_for",
  label: "May act for",
  kind: "several",
  optional: true,
  options: others.map(({ id, name }) => [id, name]),
});

export const rotateKey = (take: TakeKey): Action<Key> => ({
  key: "r",
  name: "Rotate",
  when: ({ status }) => status === "active",
  form: {
    title: ({ name }) => `Rotate ${name}`,
    says: () => ["A new key with the same scopes replaces this one, which goes on for as long as you say."],
    fields: [
      {
        name: "overlap_hours",
        label: "Hours until the old key ends",
        kind: "count",
        optional: true,
        hint: "At most 168. Empty: at once",
      },
    ],
    initial: () => ({ overlap_hours: "24" }),
    confirm: "Rotate",
    send: ({ id }, { overlap_hours }) =>
      api.POST("/admin/partner-keys/{id}/rotate", {
        ...byId(id),
        body: { overlap_hours: Number(overlap_hours ?? 0) },
      }),
    done: () => "Key made: copy it now",
    answered: (made) => take(made as Schemas["NewlyMadeKey"]),
  },
});

export const revokeKey: Action<Key> = {
  key: "x",
  name: "Revoke",
  kind: "danger",
  when: ({ status }) => status === "active" || status === "replaced",
  form: {
    title: ({ name }) => `Revoke ${name}`,
    says: () => ["Every request with this key is refused from now on."],
    confirm: "Revoke",
    isDanger: true,
    send: ({ id }) => api.DELETE("/admin/partner-keys/{id}", byId(id)),
    done: () => "Key revoked",
  },
};
