// What can be done with an organisation and its members, and how it gets a key.
import { partners } from "$shared/partners/api";
import type {
  MadePartnerKey,
  MemberRole,
  NewOrganisation,
  Organisation,
  OrganisationKind,
  OrganisationMember,
  PartnerScope,
} from "$shared/partners/types";
import { parts, type Action, type FormField, type Values } from "../actions/action";
import { memberRoles, organisationKinds } from "./words";

/** Takes a key that was just made: its secret is shown once. */
export type TakeKey = (key: MadePartnerKey) => void;

const fields: FormField[] = [
  { name: "name", label: "Name", kind: "text", least: 2, most: 100 },
  { name: "kind", label: "Kind", kind: "choice", options: Object.entries(organisationKinds) },
  { name: "phone", label: "Phone", kind: "text", optional: true, hint: "Dispatchers call it about a case" },
  { name: "email", label: "Email", kind: "email", optional: true },
];
const bodyOf = ({ name, kind, phone, email }: Values): NewOrganisation => ({
  name: name ?? "",
  kind: kind as OrganisationKind,
  ...(phone && { phone }),
  ...(email && { email }),
});

export const createOrganisation: Action<null> = {
  key: "n",
  name: "New organisation",
  kind: "primary",
  form: {
    title: () => "New organisation",
    says: () => ["Then give it a contract, members and keys on its page."],
    fields,
    confirm: "Make it",
    send: (_, values) => partners.createOrganisation(bodyOf(values)),
    done: (_, made) => `${(made as Organisation).name} is made`,
  },
};

export const changeOrganisation: Action<Organisation> = {
  key: "e",
  name: "Change",
  form: {
    title: ({ name }) => `Change ${name}`,
    says: () => [],
    fields,
    initial: ({ name, kind, phone, email }) => ({ name, kind, phone: phone ?? "", email: email ?? "" }),
    confirm: "Save",
    send: ({ id }, values) => partners.changeOrganisation(id, bodyOf(values)),
    done: () => "Saved",
  },
};

export const suspendOrganisation: Action<Organisation> = {
  key: "u",
  name: "Suspend",
  kind: "danger",
  when: ({ status }) => status === "active",
  form: {
    title: ({ name }) => `Suspend ${name}`,
    says: ({ name }) => [`${name}’s keys and members are refused from now on. Open jobs go on, and are billed.`],
    confirm: "Suspend",
    isDanger: true,
    send: ({ id }) => partners.changeOrganisation(id, { status: "suspended" }),
    done: ({ name }) => `${name} is suspended`,
  },
};

export const resumeOrganisation: Action<Organisation> = {
  key: "u",
  name: "End the suspension",
  kind: "primary",
  when: ({ status }) => status === "suspended",
  form: {
    title: ({ name }) => `End the suspension of ${name}`,
    says: () => ["Its keys and members are accepted again."],
    confirm: "End it",
    send: ({ id }) => partners.changeOrganisation(id, { status: "active" }),
    done: ({ name }) => `${name} can order again`,
  },
};

export const addMember: Action<Organisation> = {
  key: "m",
  name: "Add a member",
  form: {
    title: ({ name }) => `Add a member of ${name}`,
    says: () => [`They sign in with their number at ${location.origin}/partners/ and see this organisation alone.`],
    fields: [
      { name: "phone", label: "Mobile number", kind: "text", hint: "+919800000000" },
      { name: "name", label: "Name", kind: "text", least: 2, most: 100 },
      { name: "role", label: "Role", kind: "choice", options: Object.entries(memberRoles) },
    ],
    confirm: "Add",
    send: ({ id }, { phone = "", name = "", role }) =>
      partners.addMember(id, { phone, name, role: role as MemberRole }),
    done: () => "Member added",
  },
};

export const removeMember: Action<OrganisationMember> = {
  key: "x",
  name: "Remove",
  kind: "danger",
  form: {
    title: ({ name, phone }) => `Remove ${name ?? phone ?? "this member"}`,
    says: () => ["They no longer see the organisation’s cases. Their own account stays."],
    confirm: "Remove",
    isDanger: true,
    send: ({ id }) => partners.removeMember(id),
    done: () => "Member removed",
  },
};

export const scopeOptions: [PartnerScope, string][] = [
  ["read", "read: see cases, jobs, bills"],
  ["cases", "cases: make and cancel jobs"],
  ["approvals", "approvals: decide on promises and extra work"],
  ["webhooks", "webhooks: subscriptions and deliveries"],
  ["keys", "keys: make and revoke keys"],
  ["offers", "offers: send us jobs of a club"],
];

export const createKey = (take: TakeKey): Action<Organisation> => ({
  key: "k",
  name: "New key",
  form: {
    title: ({ name }) => `New key for ${name}`,
    says: () => ["The key is shown once, when it is made."],
    fields: [
      { name: "name", label: "Name", kind: "text", least: 2, most: 100, hint: "The program that uses it" },
      { name: "scopes", label: "Scopes", kind: "several", options: scopeOptions },
      { name: "expires_in_days", label: "Expires after days", kind: "count", hint: "At most 730" },
      { name: "requests_per_minute", label: "Requests per minute", kind: "count", optional: true },
    ],
    initial: () => ({ scopes: "read,cases,approvals", expires_in_days: "365" }),
    confirm: "Make the key",
    send: ({ id }, values) =>
      partners.createKey(id, {
        name: values["name"] ?? "",
        scopes: parts(values["scopes"]) as PartnerScope[],
        expires_in_days: Number(values["expires_in_days"]),
        ...(values["requests_per_minute"] && { requests_per_minute: Number(values["requests_per_minute"]) }),
      }),
    done: () => "Key made: copy it now",
    answered: (made) => take(made as MadePartnerKey),
  },
});
