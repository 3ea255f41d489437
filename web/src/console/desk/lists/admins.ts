// Everybody who may use the console.
import { api, type Schemas } from "$shared/api/client";
import { session } from "$shared/api/session.svelte";
import { deskList, type Desk } from "../../parts/desk";
import { sentence } from "../../parts/words";
import { parts } from "../actions/action";
import { age, person, status, time } from "../list/cells";
import { list } from "../list/list";
import { deskOptions, isSuper } from "./rights";

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
