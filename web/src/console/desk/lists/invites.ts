// Invitations of admins.
import { api, type Schemas } from "$shared/api/client";
import { allDesks, deskList, type Desk } from "../../parts/desk";
import { sentence } from "../../parts/words";
import { parts } from "../actions/action";
import { age, person, status, time } from "../list/cells";
import { list } from "../list/list";
import NewToken from "../settings/NewToken.svelte";
import { showToken } from "../settings/token.svelte";
import { choice } from "./filters";
import { deskOptions, isSuper } from "./rights";

const roles: [string, string][] = [
  ["admin", "Admin: at the desks below"],
  ["super_admin", "Super admin: also invites, roles and second factors"],
];

export const invites = list("/super-admin/invites", {
  title: "Invites",
  about:
    "Invitations to become an admin. A token is shown once: inviting the same email again makes another and " +
    "ends the one before.",
  empty: "No invitations with these filters.",
  hasCsv: false,
  filters: [choice("status", "Status", ["pending", "accepted", "expired", "revoked"])],
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
