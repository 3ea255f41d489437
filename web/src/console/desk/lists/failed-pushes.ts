// Messages that could not be delivered, and trials of messages.
import { api, type Schemas } from "$shared/api/client";
import { sentence } from "../../parts/words";
import { age, person, time, words } from "../list/cells";
import { list } from "../list/list";
import { isSuper } from "./rights";

export const failedPushes = list("/admin/failed-pushes", {
  title: "Failed pushes",
  about:
    "Messages to phones that could not be delivered after every try. Many at once point to a wrong key or a " +
    "provider that is down.",
  empty: "Every push arrived.",
  hasCsv: false,
  listActions: [
    {
      key: "m",
      name: "Test SMS",
      when: isSuper,
      form: {
        title: () => "Send a test SMS",
        says: () => [
          "Its text is that of a sign-in code, with zeros for the code. It costs what a message costs, " +
            "and the audit log has it.",
        ],
        fields: [{ name: "phone", label: "Your phone", kind: "text", hint: "+91 98765 43210" }],
        confirm: "Send",
        send: (_, values) => api.POST("/super-admin/sms/test", { body: { phone: values["phone"] ?? "" } }),
        hasFailed: (answer) => (answer as Schemas["SmsTest"]).outcome !== "taken",
        done: (_, answer) => smsOutcome(answer as Schemas["SmsTest"]),
      },
    },
    {
      key: "p",
      name: "Test push",
      when: isSuper,
      form: {
        title: () => "Send a test push",
        says: () => ["It goes to each of your devices that has notifications switched on."],
        confirm: "Send",
        send: () => api.POST("/super-admin/push/test"),
        hasFailed: (answer) => !(answer as TestedDevices).data.some(({ outcome }) => outcome === "taken"),
        done: (_, answer) => pushOutcome(answer as TestedDevices),
      },
    },
    {
      key: "l",
      name: "Test mail",
      when: isSuper,
      form: {
        title: () => "Send a test mail",
        says: () => ["The mail server is asked at once and its answer shown here. The audit log records the test."],
        fields: [
          {
            name: "email",
            label: "Address",
            kind: "email",
            optional: true,
            hint: "Your own if you leave it empty",
          },
        ],
        confirm: "Send",
        send: (_, values) =>
          api.POST("/super-admin/mail/test", { body: values["email"] ? { email: values["email"] } : {} }),
        hasFailed: (answer) => (answer as Schemas["MailTest"]).outcome !== "taken",
        done: (_, answer) => mailOutcome(answer as Schemas["MailTest"]),
      },
    },
  ],
  id: (row) => row.id,
  columns: [
    { title: "About", cell: (row) => sentence(row.type) },
    { title: "Person", cell: (row) => person(row.user_id) },
    { title: "Why", cell: (row) => words(row.failure ?? null) },
    { title: "Tries", cell: (row) => row.attempts, numeric: true },
    { title: "Failed", cell: (row) => age(row.failed_at ?? row.created_at), numeric: true },
  ],
  heading: (row) => sentence(row.type),
  facts: (row) => [
    ["Person", person(row.user_id)],
    ["Why", words(row.failure ?? null)],
    ["Tries", row.attempts],
    ["Made", time(row.created_at)],
    ["Failed", time(row.failed_at ?? null)],
  ],
});

interface TestedDevices {
  data: Schemas["TestedDevice"][];
}

function pushOutcome({ data }: TestedDevices): string {
  if (data.length === 0) return "None of your devices receives pushes: switch notifications on in an app first";
  const words: Record<Schemas["PushOutcome"], string> = {
    taken: "taken",
    unregistered: "no longer registered",
    refused: "refused",
    not_now: "not taken now",
    not_sent: "not pushed: push.provider is log",
  };
  return data
    .map(({ platform, outcome, reason }) => `${platform}: ${words[outcome]}${reason ? ` (${reason})` : ""}`)
    .join("; ");
}

function mailOutcome({ outcome, reason }: Schemas["MailTest"]): string {
  const why = reason ? `: ${reason}` : "";
  return {
    taken: "The mail server accepted the mail",
    refused: `The mail server refused it${why}`,
    not_now: `The mail server did not take it now${why}`,
    unknown: `It is not known whether the mail server accepted it${why}`,
    not_sent: "No mail server is set (mail.provider)",
  }[outcome];
}

function smsOutcome({ outcome, reason }: Schemas["SmsTest"]): string {
  const why = reason ? `: ${reason}` : "";
  return {
    taken: "The provider took the message",
    refused: `The provider refused it${why}`,
    unknown: `Nobody knows whether the provider took it${why}`,
    not_sent: "Nothing was sent: sms.provider is log",
  }[outcome];
}
