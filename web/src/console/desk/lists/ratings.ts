// Customers' and mechanics' ratings of each other.
import { api, type Schemas } from "$shared/api/client";
import { sentence } from "../../parts/words";
import { age, badge, job, mechanic, person, soft, time, words } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

const hidden: [Schemas["HiddenReason"], string][] = [
  ["abusive", "Abusive"],
  ["personal_data", "Names or numbers of people"],
  ["off_topic", "Not about the job"],
  ["fraud", "Not a real rating"],
  ["other", "Something else"],
];

export const ratings = list("/admin/ratings", {
  title: "Ratings",
  about: "What customers and mechanics say of each other. Hide what breaks the rules: it then counts for nothing.",
  empty: "No ratings with these filters.",
  filters: [
    choice("rater", "By", { customer: "Customers", mechanic: "Mechanics" }),
    choice("max_score", "Stars", { 1: "1", 2: "2 at most", 3: "3 at most", 4: "4 at most" }),
    choice("is_hidden", "Hidden", { false: "Shown", true: "Hidden" }),
    { name: "mechanic_profile_id", label: "Mechanic", kind: "named", sought: "mechanic" },
    { name: "customer_id", label: "Customer", kind: "named", sought: "person" },
    { name: "job_id", label: "Job", kind: "named", sought: "job" },
  ],
  id: (row) => row.id,
  columns: [
    { title: "Stars", cell: (row) => `${"★".repeat(row.score)}${"☆".repeat(5 - row.score)}` },
    { title: "Comment", cell: (row) => [words(row.comment ?? null), soft(row.tags.map(sentence).join(", "))] },
    {
      title: "By",
      cell: (row) =>
        row.rater === "customer"
          ? [row.customer_name ?? "Customer", soft(`about ${row.mechanic_name ?? "the mechanic"}`)]
          : [row.mechanic_name ?? "Mechanic", soft(`about ${row.customer_name ?? "the customer"}`)],
    },
    { title: "Shown", cell: (row) => (row.hidden_at ? badge("Hidden", "warn") : "Yes") },
    { title: "Age", cell: (row) => age(row.created_at), numeric: true },
  ],
  mark: (row) => (row.score <= 2 && !row.hidden_at ? "warn" : null),
  heading: (row) => `${row.score} of 5 by the ${row.rater}`,
  facts: (row) => [
    ["Comment", words(row.comment ?? null)],
    ["Tags", row.tags.map(sentence).join(", ")],
    ["Customer", person(row.customer_id, row.customer_name)],
    ["Mechanic", mechanic(row.mechanic_profile_id, row.mechanic_name)],
    ["Job", job(row.job_id)],
    ["Given", time(row.created_at)],
    ["Hidden", time(row.hidden_at ?? null)],
    ["Hidden because", row.hidden_reason ? sentence(row.hidden_reason) : null],
  ],
  actions: [
    {
      key: "x",
      name: "Hide",
      kind: "danger",
      when: (row) => !row.hidden_at,
      many: (rows) => ({
        title: `Hide ${rows.length} ratings`,
        says: [
          "Only their writers and admins will still see them, and they no longer count in any average. They can't be " +
            "shown again.",
        ],
      }),
      form: {
        title: () => "Hide this rating",
        says: (row) => [
          `“${row.comment ?? `${row.score} of 5, without a comment`}”`,
          "Only its writer and admins will still see it, and it no longer counts in the average. It can't be " +
            "shown again.",
        ],
        fields: [{ name: "reason", label: "Because", kind: "choice", options: hidden }],
        confirm: "Hide",
        isDanger: true,
        send: (row, values) =>
          api.DELETE("/admin/ratings/{id}", {
            params: { path: { id: row.id }, query: { reason: values["reason"] as Schemas["HiddenReason"] } },
          }),
        done: () => "Rating hidden",
      },
    },
  ],
});
