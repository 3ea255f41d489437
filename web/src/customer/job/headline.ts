// One line about a job's progress.
import type { Schemas } from "$shared/api/client";
import { isTowing } from "$shared/job/status";
import { dateTime } from "$shared/text/format";
import { m } from "$words";

export function headline(job: Schemas["Job"]): string {
  const name = job.mechanic_first_name ?? m.customer_the_mechanic();
  if (job.status === "pending" && job.scheduled_for)
    return m.customer_head_scheduled({ at: dateTime(job.scheduled_for) });
  if (job.status === "accepted" && job.is_unconfirmed) return m.customer_head_unconfirmed({ name });
  return {
    pending: m.customer_head_searching,
    dispatching: m.customer_head_searching,
    accepted: () => m.customer_head_accepted({ name }),
    en_route: () => m.customer_head_en_route({ name }),
    arrived: () => m.customer_head_arrived({ name }),
    in_progress: () => underWay(job, name),
    completed: () => done(job),
    paid: m.customer_paid,
    cancelled: m.customer_head_cancelled,
    no_mechanic_found: m.customer_head_nobody,
    disputed: m.customer_head_disputed,
    resolved: m.customer_head_resolved,
  }[job.status]();
}

function underWay(job: Schemas["Job"], name: string): string {
  if (!job.destination) return m.customer_head_in_progress({ name });
  if (!isTowing(job)) return m.customer_head_loading({ name });
  // An address is too long for a headline.
  const place = job.destination.workshop_name;
  return place === null ? m.customer_head_towing() : m.customer_head_towing_to({ place });
}

function done({ outcome, destination }: Schemas["Job"]): string {
  const place = destination?.workshop_name;
  if (outcome === "towed") return place ? m.customer_head_towed_to({ place }) : m.customer_head_towed();
  if (outcome === "needs_tow") return m.customer_head_needs_tow();
  return outcome === "not_fixable" ? m.customer_head_not_fixable() : m.customer_head_completed();
}
