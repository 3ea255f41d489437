// One line about a job's progress.
import type { Schemas } from "$shared/api/client";
import { isTowing } from "$shared/job/status";
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
      return job.is_unconfirmed ? m.customer_head_unconfirmed({ name }) : m.customer_head_accepted({ name });
    case "en_route":
      return m.customer_head_en_route({ name });
    case "arrived":
      return m.customer_head_arrived({ name });
    case "in_progress":
      return underWay(job, name);
    case "completed":
      return done(job);
    case "paid":
      return m.customer_paid();
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

function underWay(job: Schemas["Job"], name: string): string {
  if (!job.destination) return m.customer_head_in_progress({ name });
  if (!isTowing(job)) return m.customer_head_loading({ name });
  // An address is too long for a headline.
  const place = job.destination.workshop_name;
  return place === null ? m.customer_head_towing() : m.customer_head_towing_to({ place });
}

function done({ outcome, destination }: Schemas["Job"]): string {
  switch (outcome) {
    case "towed":
      return destination?.workshop_name
        ? m.customer_head_towed_to({ place: destination.workshop_name })
        : m.customer_head_towed();
    case "needs_tow":
      return m.customer_head_needs_tow();
    case "not_fixable":
      return m.customer_head_not_fixable();
    default:
      return m.customer_head_completed();
  }
}
