// The sentence about a wait, for all pages. The service provides the figure and the reason.
import type { Schemas } from "$shared/api/client";
import { duration } from "$shared/text/format";
import { m } from "$words";

type Outlook = Schemas["Outlook"];

const LIKELY_PERCENT = 80;
const UNLIKELY_PERCENT = 40;

/**
 * Returns the text about the expected wait, which promises nothing, and whether it is worse than people hope for.
 * `hasLeft`: a mechanic already had the job, so the text must not say that no mechanic took it.
 */
export function waiting(outlook: Outlook, hasLeft = false): { text: string; isBad: boolean } {
  const wait = duration(outlook.expected_wait_s ?? outlook.in_time_s);
  if (outlook.reason === "free") return whileAsked(outlook, wait);
  const text = {
    held: () => m.customer_outlook_held_for({ wait }),
    busy: () => m.customer_outlook_busy_for({ wait }),
    declined: hasLeft ? m.customer_outlook_others : m.customer_outlook_declined,
    out_of_reach: m.customer_outlook_out_of_reach,
    no_skill: m.customer_outlook_no_skill,
    nobody_online: m.customer_outlook_nobody_online,
  }[outlook.reason]();
  return { text, isBad: true };
}

function whileAsked(
  { expected_wait_s, chance_in_time_percent, in_time_s }: Outlook,
  wait: string,
): { text: string; isBad: boolean } {
  const time = duration(in_time_s);
  if (chance_in_time_percent <= UNLIKELY_PERCENT)
    return { text: m.customer_outlook_unlikely({ wait, time }), isBad: true };
  if (chance_in_time_percent < LIKELY_PERCENT) return { text: m.customer_outlook_maybe({ wait }), isBad: false };
  const isWithin = expected_wait_s !== null && expected_wait_s > in_time_s;
  return {
    text: isWithin ? m.customer_outlook_likely_within({ time }) : m.customer_outlook_likely({ wait }),
    isBad: false,
  };
}

/** Explains why a search ended without a mechanic; `null` if the reason is no longer known. */
export function ended(outlook: Outlook | null, hasLeft = false): string {
  if (outlook === null) return m.customer_ended();
  return {
    free: m.customer_ended_free,
    held: m.customer_ended_held,
    busy: m.customer_ended_busy,
    declined: hasLeft ? m.customer_ended : m.customer_ended_declined,
    out_of_reach: m.customer_ended_out_of_reach,
    no_skill: m.customer_ended_no_skill,
    nobody_online: m.customer_ended_nobody_online,
  }[outlook.reason]();
}
