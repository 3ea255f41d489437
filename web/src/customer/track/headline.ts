// One line about a shared job's progress.
import { placeName } from "$shared/destination/destination";
import { isTowing } from "$shared/job/status";
import { m } from "$words";
import type { Shared } from "./shared";

export function headlineOf({ state, job }: Pick<Shared, "state" | "job">): string {
  if (state === "ended") return m.customer_track_ended();
  if (state === "invalid") return m.customer_track_invalid();
  const name = job?.mechanic_first_name ?? m.customer_the_mechanic();
  switch (job?.status) {
    case "pending":
      return m.customer_track_scheduled();
    case "dispatching":
      return m.customer_head_searching();
    case "accepted":
      return job.is_unconfirmed ? m.customer_head_unconfirmed({ name }) : m.customer_track_accepted({ name });
    case "en_route":
      return m.customer_head_en_route({ name });
    case "arrived":
      return m.customer_head_arrived({ name });
    case "in_progress":
      if (job.destination && isTowing(job)) return m.customer_track_towing({ name, place: placeName(job.destination) });
      return m.customer_track_in_progress({ name });
    case "no_mechanic_found":
      return m.customer_head_nobody();
    case "completed":
    case "paid":
    case "disputed":
    case "resolved":
      return m.customer_track_done();
    default:
      return m.customer_track_title();
  }
}
