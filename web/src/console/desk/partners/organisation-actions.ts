// The actions on an organisation, its members and its contracts.
import { api, type Schemas } from "$shared/api/client";
import { byId, type Action, type FormField, type Values } from "../actions/action";
import { memberRoles, organisationKinds } from "./words";

type Organisation = Schemas["Organisation"];

const fields: FormField[] = [
  { name: "name", label: "Name", kind: "text", most: 100 },
  { name: "kind", label: "Kind", kind: "choice", options: Object.entries(organisationKinds) },
  { name: "phone", label: "Phone", kind: "text", optional: true, hint: "Dispatchers call it about a case" },
  { name: "email", label: "Email", kind: "email", optional: true },
];
const bodyOf = ({ name = "", kind, phone, email }: Values): Schemas["NewOrganisation"] => ({
  name,
  kind: kind as Schemas["OrganisationKind"],
  phone: phone ?? null,
  email: email ?? null,
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
    send: (_, values, headers) =>
      api.POST("/admin/organisations", { params: { header: headers }, body: bodyOf(values) }),
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
    send: ({ id }, values) => api.PATCH("/admin/organisations/{id}", { ...byId(id), body: bodyOf(values) }),
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
    send: ({ id }) => api.PATCH("/admin/organisations/{id}", { ...byId(id), body: { status: "suspended" } }),
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
    send: ({ id }) => api.PATCH("/admin/organisations/{id}", { ...byId(id), body: { status: "active" } }),
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
      { name: "name", label: "Name", kind: "text", most: 100, hint: "A person with an account keeps their name" },
      { name: "role", label: "Role", kind: "choice", options: Object.entries(memberRoles) },
    ],
    confirm: "Add",
    send: ({ id }, { phone = "", name = "", role }) =>
      api.POST("/admin/organisations/{id}/members", {
        ...byId(id),
        body: { phone, name, role: role as Schemas["MemberRole"] },
      }),
    done: () => "Member added",
  },
};

export const removeMember: Action<Schemas["OrganisationMember"]> = {
  key: "x",
  name: "Remove",
  kind: "danger",
  form: {
    title: ({ name, phone }) => `Remove ${name ?? phone ?? "this member"}`,
    says: () => ["They no longer see the organisation’s cases. Their own account stays."],
    confirm: "Remove",
    isDanger: true,
    send: ({ id }) => api.DELETE("/admin/organisation-members/{id}", byId(id)),
    done: () => "Member removed",
  },
};

export const endContract: Action<Schemas["PartnerContract"]> = {
  key: "x",
  name: "End",
  kind: "danger",
  when: ({ ended_at }) => ended_at === null,
  form: {
    title: ({ reference }) => `End the contract ${reference}`,
    says: () => ["No case can refer to it any more. Its open jobs go on by its terms."],
    confirm: "End the contract",
    isDanger: true,
    send: ({ id }) => api.POST("/admin/partner-contracts/{id}/end", byId(id)),
    done: () => "Contract ended",
  },
};
