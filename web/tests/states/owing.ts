// Customers' debts, for tests of pages.
import { examples, none, type Answers, type Schemas } from "../support/pages";

/** A service without a payment gateway. */
export const IN_CASH_ALONE: Schemas["AppConfig"]["payments"] = { provider: "none", checkout_url: null, key_id: null };

/** Sets up a job that ended because nobody was there, with these changes. */
export function missed(answers: Answers, changes: Partial<Schemas["NoShow"]>): void {
  const noShow = { ...examples().of("NoShow"), statement: null, stated_at: null, ...changes };
  answers.give("GET /jobs/{id}", {
    ...examples().of("Job"),
    customer_id: examples().of("Me").id,
    status: "cancelled",
    start_code: null,
    cancelled_at: noShow.created_at,
    cancel_reason_code: "customer_no_show",
    cancellation_fee: noShow.status === "due" || noShow.status === "charged" ? noShow.amount : 0,
  });
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", none);
  answers.give("GET /jobs/{id}/no-show", noShow);
}
