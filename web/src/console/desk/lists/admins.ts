// The people who may use the console, and their actions.
import { api, type Schemas } from "$shared/api/client";
import { session } from "$shared/api/session.svelte";
import { actionName, sentence, withoutActor } from "../../parts/words";
import { allDesks, deskList, deskNames, type Desk } from "../../parts/desk";
import { parts } from "../actions/action";
import { age, code, person, status, time } from "../list/cells";
import { list } from "../list/list";
import { showToken } from "../settings/token.svelte";
import Changes from "../settings/Changes.svelte";
import NewToken from "../settings/NewToken.svelte";

const isSuper = () => session.role === "super_admin";
const deskOptions: [Desk, string][] = allDesks.map((desk) => [desk, whatFor(desk)]);
const roles: [string, string][] = [
  ["admin", "Admin: at the desks below"],
  ["super_admin", "Super admin: also invites, roles and second factors"],
];

function whatFor(desk: Desk): string {
  const matters: Record<Desk, string> = {
    dispatch: "jobs under way, the map, callers",
    money: "payments, refunds, payouts, disputes, fees",
    people: "mechanics' papers, suspensions, ratings",
    settings: "categories, workshops, dispatch settings, servers",
  };
  return `${deskNames[desk]}: ${matters[desk]}`;
}

export const admins = list("/super-admin/admins", {
  title: "Admins",
  about: "Who may use this console. Only super admins see this page.",
  empty: "No admins.",
  hasCsv: false,
  id: (row) => row.id,
  columns: [
    { title: "Name", cell: (row) => row.name ?? row.email ?? "No name" },
    { title: "Email", cell: (row) => row.email },
    { title: "Role", cell: (row) => sentence(row.role) },
    { title: "Desks", cell: (row) => deskList(row.desks) },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Since", cell: (row) => age(row.created_at), numeric: true },
  ],
  heading: (row) => row.name ?? row.email ?? "No name",
  facts: (row) => [
    ["Email", row.email],
    ["Role", sentence(row.role)],
    ["Desks", deskList(row.desks)],
    ["Status", status(row.status)],
    ["Account", person(row.id, row.name ?? row.email)],
    ["Since", time(row.created_at)],
    ["You", row.id === session.userId ? "This is your account. Another super admin changes it." : null],
  ],
  actions: [
    {
      key: "o",
      name: "Change role",
      when: (row) => isSuper() && row.id !== session.userId,
      form: {
        title: (row) => `Role of ${row.name ?? row.email ?? "this admin"}`,
        says: () => ["A right that is lost ends at once, with the person's sessions and pending invitations."],
        fields: [
          {
            name: "role",
            label: "Role",
            kind: "choice",
            options: [
              ["admin", "Admin: everything but admins"],
              ["super_admin", "Super admin: also invites, roles and second factors"],
              ["customer", "Customer: no admin any more"],
            ],
          },
        ],
        initial: (row) => ({ role: row.role }),
        confirm: "Change",
        isDanger: true,
        send: (row, values) =>
          api.PUT("/super-admin/users/{id}/role", {
            params: { path: { id: row.id } },
            body: { role: values["role"] as Schemas["Role"] },
          }),
        done: () => "Role changed",
      },
    },
    {
      key: "d",
      name: "Change desks",
      when: (row) => isSuper() && row.role === "admin" && row.id !== session.userId,
      form: {
        title: (row) => `Desks of ${row.name ?? row.email ?? "this admin"}`,
        says: () => ["It counts at once. What belongs to other desks is hidden from them and refused."],
        fields: [{ name: "desks", label: "Desks", kind: "several", options: deskOptions }],
        initial: (row) => ({ desks: row.desks.join(",") }),
        confirm: "Save",
        send: (row, values) =>
          api.PUT("/super-admin/users/{id}/desks", {
            params: { path: { id: row.id } },
            body: { desks: parts(values["desks"]) as Desk[] },
          }),
        done: (row) => `Desks of ${row.name ?? row.email ?? "this admin"} changed`,
      },
    },
    {
      key: "2",
      name: "Reset second factor",
      when: (row) => isSuper() && row.id !== session.userId,
      form: {
        title: (row) => `Reset the second factor of ${row.name ?? row.email ?? "this admin"}`,
        says: () => [
          "They sign in with the password alone until they set up another. Make sure that it is them who ask: " +
            "call them.",
        ],
        confirm: "Reset",
        isDanger: true,
        send: (row) => api.DELETE("/super-admin/users/{id}/second-factor", { params: { path: { id: row.id } } }),
        done: () => "Second factor removed",
      },
    },
    {
      key: "x",
      name: "End account",
      kind: "danger",
      when: (row) => isSuper() && row.id !== session.userId,
      form: {
        title: (row) => `End the account of ${row.name ?? row.email ?? "this admin"}`,
        says: () => [
          "Their account, sessions, password and pending invitations end. The audit log keeps their name and email.",
        ],
        confirm: "End the account",
        isDanger: true,
        send: (row) => api.DELETE("/super-admin/users/{id}", { params: { path: { id: row.id } } }),
        done: () => "Account ended",
      },
    },
  ],
});

export const invites = list("/super-admin/invites", {
  title: "Invites",
  about:
    "Invitations to become an admin. A token is shown once: inviting the same email again makes another and " +
    "ends the one before.",
  empty: "No invitations with these filters.",
  hasCsv: false,
  filters: [
    {
      name: "status",
      label: "Status",
      kind: "choice",
      options: [
        ["pending", "Pending"],
        ["accepted", "Accepted"],
        ["expired", "Expired"],
        ["revoked", "Revoked"],
      ],
    },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Email", cell: (row) => row.email },
    { title: "Role", cell: (row) => sentence(row.role) },
    { title: "Desks", cell: (row) => deskList(row.desks) },
    { title: "Status", cell: (row) => status(row.status) },
    { title: "Invited", cell: (row) => age(row.created_at), numeric: true },
    { title: "Expires", cell: (row) => time(row.expires_at), numeric: true },
  ],
  heading: (row) => row.email,
  facts: (row) => [
    ["Role", sentence(row.role)],
    ["Desks", deskList(row.desks)],
    ["Status", status(row.status)],
    ["Invited by", row.invited_by ? person(row.invited_by, "A super admin") : "The command line"],
    ["Invited", time(row.created_at)],
    ["Expires", time(row.expires_at)],
    ["Accepted", time(row.accepted_at)],
    ["Account", row.accepted_by ? person(row.accepted_by, row.email) : null],
    ["Revoked", time(row.revoked_at)],
  ],
  more: NewToken,
  listActions: [
    {
      key: "n",
      name: "Invite",
      kind: "primary",
      when: isSuper,
      form: {
        title: () => "Invite an admin",
        says: () => ["You get a link to send them. They choose a password of their own with it."],
        fields: [
          { name: "email", label: "Email", kind: "email" },
          { name: "role", label: "Role", kind: "choice", options: roles },
          {
            name: "desks",
            label: "Desks",
            kind: "several",
            options: deskOptions,
            when: (values) => values["role"] === "admin",
          },
        ],
        initial: () => ({ role: "admin", desks: allDesks.join(",") }),
        confirm: "Invite",
        send: (_, values) =>
          api.POST("/super-admin/invites", {
            body: {
              email: values["email"] ?? "",
              role: values["role"] as Schemas["AdminRole"],
              ...(values["desks"] ? { desks: parts(values["desks"]) as Desk[] } : {}),
            },
          }),
        answered: (answer) => showToken(answer as Schemas["NewlyInvited"]),
        done: (_, answer) =>
          (answer as Schemas["NewlyInvited"]).mailed
            ? "Invitation made: it is on its way by mail, and the link is beside the list"
            : "Invitation made: send the link beside the list",
      },
    },
  ],
  actions: [
    {
      key: "x",
      name: "Revoke",
      kind: "danger",
      when: (row) => isSuper() && row.status === "pending",
      form: {
        title: (row) => `Revoke the invitation of ${row.email}`,
        says: () => ["Its link is good for nothing any more."],
        confirm: "Revoke",
        isDanger: true,
        send: (row) => api.DELETE("/super-admin/invites/{id}", { params: { path: { id: row.id } } }),
        done: () => "Invitation revoked",
      },
    },
  ],
});

/** Returns the service's code for the name of an entry shown here; other words are returned unchanged. */
const actionCode = (typed: string) =>
  typed
    .trim()
    .toLowerCase()
    .replace(/:\s*/, ".")
    .replaceAll(/[\s-]+/g, "_");

export const audit = list("/admin/audit-log", {
  title: "Audit log",
  about: "What admins did and read, the newest first.",
  empty: "Nothing with these filters.",
  filters: [
    { name: "action", label: "Action", kind: "text", hint: "Such as “Mechanic: verify”", asks: actionCode },
    {
      name: "object_type",
      label: "Kind of object",
      kind: "text",
      hint: "Such as “Mechanic profile”",
      asks: actionCode,
    },
    { name: "object_id", label: "Object", kind: "named", sought: "any" },
    { name: "actor_id", label: "Admin", kind: "named", sought: "person" },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Action", cell: (row) => actionName(row.action) },
    { title: "On", cell: (row) => sentence(row.object_type) },
    { title: "By", cell: (row) => row.actor_name ?? row.actor_email ?? withoutActor(row.after) },
    { title: "At", cell: (row) => time(row.at), numeric: true },
  ],
  heading: (row) => actionName(row.action),
  facts: (row) => [
    ["By", row.actor_id ? person(row.actor_id, row.actor_name ?? row.actor_email ?? null) : withoutActor(row.after)],
    ["Email", row.actor_email ?? null],
    ["On", sentence(row.object_type)],
    ["Id", code(row.object_id ?? null)],
    ["At", time(row.at)],
  ],
  more: Changes,
});
