// Actions on accounts, mechanics and their changes, wherever they are shown.
import { api, type Schemas } from "$shared/api/client";
import { session } from "$shared/api/session.svelte";
import { byId, reason, type Action, type Form } from "../actions/action";

type User = Schemas["AdminUser"];
type Mechanic = Schemas["MechanicForAdmin"];
type Change = Schemas["MechanicChange"];

const nameOf = (object: { name: string | null }) => object.name ?? "this person";

export const suspendUser: Action<User> = {
  key: "s",
  name: "Suspend",
  desk: "people",
  kind: "danger",
  when: (user) => user.status === "active" && user.id !== session.userId,
  form: {
    title: (user) => `Suspend ${nameOf(user)}`,
    says: (user) => [
      "From now on every request of theirs is refused.",
      ...(user.mechanic_profile_id
        ? [
            "Their offers are taken back and their job goes to another mechanic, at no fee. Work that has " +
              "begun stays theirs: cancel the job or reinstate them.",
          ]
        : []),
    ],
    fields: [
      {
        name: "reason",
        label: "Reason",
        kind: "long",
        most: 500,
        hint: "Kept with the account and in the audit log",
        templates: ["Abuse of other people.", "Fraud is suspected.", "Unpaid fees."],
      },
    ],
    confirm: "Suspend",
    isDanger: true,
    send: (user, values) =>
      api.POST("/admin/users/{id}/suspend", { ...byId(user.id), body: { reason: values["reason"] ?? "" } }),
    done: (user) => `${nameOf(user)} is suspended`,
  },
};

export const reinstateUser: Action<User> = {
  key: "i",
  name: "Reinstate",
  desk: "people",
  kind: "primary",
  when: (user) => user.status === "suspended",
  form: {
    title: (user) => `Reinstate ${nameOf(user)}`,
    says: (user) => [
      "They can sign in and use the service again.",
      ...(user.suspension_reason ? [`Suspended because: ${user.suspension_reason}`] : []),
    ],
    confirm: "Reinstate",
    send: (user) => api.POST("/admin/users/{id}/reinstate", { params: { path: { id: user.id } }, body: {} }),
    done: (user) => `${nameOf(user)} is reinstated`,
  },
};

export const setJobLimit: Action<User> = {
  key: "o",
  name: "Open jobs",
  desk: "people",
  when: (user) => user.role === "customer" && user.status !== "deleted",
  form: {
    title: (user) => `Open jobs of ${nameOf(user)}`,
    says: () => [
      "How many jobs they may have open at once, for example with a fleet of their own. Empty: as many as everybody.",
    ],
    fields: [{ name: "max_open_jobs", label: "At once", kind: "count", optional: true, most: 4, hint: "1 to 1000" }],
    initial: (user) => ({ max_open_jobs: user.max_open_jobs?.toString() ?? "" }),
    confirm: "Save",
    send: (user, values) =>
      api.PUT("/admin/users/{id}/job-limit", {
        params: { path: { id: user.id } },
        body: { max_open_jobs: values["max_open_jobs"] ? Number(values["max_open_jobs"]) : null },
      }),
    done: (user) => `Saved for ${nameOf(user)}`,
  },
};

export const suspendMechanic: Action<Mechanic> = {
  key: "s",
  name: "Suspend",
  desk: "people",
  kind: "danger",
  when: (mechanic) => mechanic.status === "verified",
  form: {
    title: (mechanic) => `Take ${nameOf(mechanic)} off duty`,
    says: () => [
      "They get no more offers. A job under way goes on. They can still sign in: to lock them out, suspend " +
        "their account.",
    ],
    fields: [
      reason("Shown to the mechanic", [
        "Your documents have expired. Send new ones.",
        "Customers complained about your work. We will call you.",
        "Please contact us about your last job.",
      ]),
    ],
    confirm: "Suspend",
    isDanger: true,
    send: (mechanic, values) =>
      api.POST("/admin/mechanics/{id}/suspend", { ...byId(mechanic.id), body: { reason: values["reason"] ?? "" } }),
    done: (mechanic) => `${nameOf(mechanic)} is suspended`,
  },
};

export const reinstateMechanic: Action<Mechanic> = {
  key: "i",
  name: "Reinstate",
  desk: "people",
  kind: "primary",
  when: (mechanic) => mechanic.status === "suspended",
  form: {
    title: (mechanic) => `Reinstate ${nameOf(mechanic)}`,
    says: (mechanic) => [
      "They can get offers again.",
      ...(mechanic.suspension_reason ? [`Suspended because: ${mechanic.suspension_reason}`] : []),
    ],
    confirm: "Reinstate",
    send: (mechanic) => api.POST("/admin/mechanics/{id}/reinstate", { params: { path: { id: mechanic.id } } }),
    done: (mechanic) => `${nameOf(mechanic)} is reinstated`,
  },
};

const provenName = {
  fields: [
    {
      name: "verified_name",
      label: "Name that the documents prove",
      kind: "text",
      most: 100,
      hint: "As it is written in them",
    },
  ],
  initial: (mechanic) => ({ verified_name: mechanic.verified_name ?? "" }),
  send: (mechanic, values) =>
    api.POST("/admin/mechanics/{id}/verify", {
      params: { path: { id: mechanic.id } },
      body: { verified_name: values["verified_name"] ?? null },
    }),
} satisfies Partial<Form<Mechanic>>;

export const verifyMechanic: Action<Mechanic> = {
  key: "v",
  name: "Verify",
  desk: "people",
  kind: "primary",
  when: (mechanic) => mechanic.status === "pending_verification" || mechanic.status === "rejected",
  form: {
    ...provenName,
    // Typed from the documents, not copied from the name that they chose.
    initial: () => ({ verified_name: "" }),
    title: (mechanic) => `Verify ${nameOf(mechanic)}`,
    says: () => [
      "They can get jobs from now on. Names of bank accounts are compared with the name that you confirm here.",
    ],
    confirm: "Verify",
    done: (mechanic) => `${nameOf(mechanic)} is verified`,
  },
};

export const changeVerifiedName: Action<Mechanic> = {
  key: "v",
  name: "Change the verified name",
  desk: "people",
  when: (mechanic) => mechanic.status === "verified",
  form: {
    ...provenName,
    title: () => "Change the verified name",
    says: () => ["With another name, UPI accounts whose name at the bank does not match it go back to review."],
    confirm: "Change the name",
    done: (mechanic) => `The verified name of ${nameOf(mechanic)} is changed`,
  },
};

export const rejectMechanic: Action<Mechanic> = {
  key: "x",
  name: "Reject",
  desk: "people",
  kind: "danger",
  when: (mechanic) => mechanic.status === "pending_verification",
  form: {
    title: (mechanic) => `Reject ${nameOf(mechanic)}`,
    says: () => ["They see the reason and may send their profile again."],
    fields: [
      reason("Shown to the mechanic: say what to send instead", [
        "A document can't be read. Photograph it flat, in good light, without reflections.",
        "The name in the documents differs from the name in your profile. Correct your name, or send " +
          "documents in that name.",
        "A document has expired. Send a valid one.",
        "The certificate does not cover the services that you chose. Choose fewer, or send another certificate.",
        "The photo does not show your face. Send one taken now.",
      ]),
    ],
    confirm: "Reject",
    isDanger: true,
    send: (mechanic, values) =>
      api.POST("/admin/mechanics/{id}/reject", { ...byId(mechanic.id), body: { reason: values["reason"] ?? "" } }),
    done: (mechanic) => `${nameOf(mechanic)} is rejected`,
  },
};

export const approveChange: Action<Change> = {
  key: "a",
  name: "Approve",
  kind: "primary",
  many: (changes) => ({
    title: `Approve ${changes.length} changes`,
    says: ["These mechanics serve what they asked for from now on."],
  }),
  form: {
    title: (change) => `Approve the change of ${change.mechanic_name ?? "the mechanic"}`,
    says: () => ["They serve what they asked for from now on."],
    confirm: "Approve",
    send: (change) => api.POST("/admin/mechanic-changes/{id}/approve", { params: { path: { id: change.id } } }),
    done: () => "Change approved",
  },
};

export const rejectChange: Action<Change> = {
  key: "x",
  name: "Reject",
  kind: "danger",
  many: (changes) => ({
    title: `Reject ${changes.length} changes`,
    says: ["These mechanics go on serving what they serve now, and each sees the reason."],
  }),
  form: {
    title: (change) => `Reject the change of ${change.mechanic_name ?? "the mechanic"}`,
    says: () => ["They go on serving what they serve now, and see the reason."],
    fields: [
      reason("Shown to the mechanic", [
        "We need a certificate for this. Add it to your documents, then ask again.",
        "We have enough mechanics for this in your area at the moment.",
      ]),
    ],
    confirm: "Reject",
    isDanger: true,
    send: (change, values) =>
      api.POST("/admin/mechanic-changes/{id}/reject", { ...byId(change.id), body: { reason: values["reason"] ?? "" } }),
    done: () => "Change rejected",
  },
};

export const answerGrievance: Action<Schemas["AdminGrievance"]> = {
  key: "a",
  name: "Answer",
  kind: "primary",
  desk: "people",
  when: (row) => row.status === "open",
  form: {
    title: (row) => `Answer ${row.customer_name ?? "this person"}`,
    says: () => [
      "They are notified and read the answer in their account, with whom to ask further.",
      "It can't be changed afterwards.",
      "If you refuse something, say why.",
    ],
    fields: [
      { name: "answer", label: "Answer", kind: "long", most: 4000, hint: "As they are to read it, in their language." },
    ],
    confirm: "Send the answer",
    send: (row, values) =>
      api.POST("/admin/grievances/{id}/answer", { ...byId(row.id), body: { answer: values["answer"] ?? "" } }),
    done: () => "Answered",
  },
};
