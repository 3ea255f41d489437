// One line that says how far a job is.
import type { Schemas } from "$shared/api/client";
import { dateTime } from "$shared/text/format";
import { m } from "$words";

export function headline(job: Schemas["Job"]): string {
  const name = job.mechanic_first_name ?? m.customer_the_mechanic();
  switch (job.status) {
    case "pending":
      return job.scheduled_for
        ? m.customer_head_scheduled({ at: dateTime(job.scheduled_for) })
        : m.customer_head_searching();
    case "dispatching":
      return m.customer_head_searching();
    case "accepted":
      return m.customer_head_accepted({ name });
    case "en_route":
      return m.customer_head_en_route({ name });
    case "arrived":
      return m.customer_head_arrived({ name });
    case "in_progress":
      return m.customer_head_in_progress({ name });
    case "completed":
      return job.outcome === "needs_tow"
        ? m.customer_head_needs_tow()
        : job.outcome === "not_fixable"
          ? m.customer_head_not_fixable()
          : m.customer_head_completed();
    case "paid":
      return m.customer_head_paid();
    case "cancelled":
      return m.customer_head_cancelled();
    case "no_mechanic_found":
      return m.customer_head_nobody();
    case "disputed":
      return m.customer_head_disputed();
    case "resolved":
      return m.customer_head_resolved();
  }
}
