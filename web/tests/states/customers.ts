// Sets up customers and the state of their jobs, for tests of pages.
import { examples, none, type Answers, type Schemas } from "../support/pages";
import { at } from "./at-work";

type Job = Schemas["Job"];

/** A service without a payment gateway. */
export const IN_CASH_ALONE: Schemas["AppConfig"]["payments"] = { provider: "none", checkout_url: null, key_id: null };

export const arrived = { en_route_at: at(31), arrived_at: at(36) } as const;
export const done = {
  ...arrived,
  status: "completed",
  started_at: at(37),
  completed_at: at(40),
  final_price: 299,
  outcome: "fixed",
  start_code: null,
} as const;

/** Sets up a person with no open job, with these vehicles. */
export function atHome(answers: Answers, vehicles: Partial<Schemas["Vehicle"]>[] = [{}]): void {
  answers.give("GET /jobs", none);
  answers.give("GET /payments/unpaid-fees", none);
  answers.give("GET /vehicles", (list) => ({
    ...list,
    data: vehicles.map((vehicle) => ({ ...examples().of("Vehicle"), ...vehicle })),
  }));
}

/** Sets up the customer's own job in this state, with these payments. */
export function withJob(answers: Answers, changes: Partial<Job>, payments: Partial<Schemas["Payment"]>[] = []): Job {
  const job = { ...examples().of("Job"), customer_id: examples().of("Me").id, ...changes };
  answers.give("GET /jobs/{id}", job);
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", (list) => ({
    ...list,
    data: payments.map((payment) => ({ ...examples().of("Payment"), ...payment })),
  }));
  return job;
}

/** Sets up a job that ended because nobody was there, with these changes. */
export function missed(answers: Answers, changes: Partial<Schemas["NoShow"]>): void {
  const noShow = { ...examples().of("NoShow"), statement: null, stated_at: null, ...changes };
  withJob(answers, {
    status: "cancelled",
    start_code: null,
    cancelled_at: noShow.created_at,
    cancel_reason_code: "customer_no_show",
    cancellation_fee: noShow.status === "due" || noShow.status === "charged" ? noShow.amount : 0,
  });
  answers.give("GET /jobs/{id}/no-show", noShow);
}
