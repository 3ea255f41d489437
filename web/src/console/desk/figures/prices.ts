import type { Schemas } from "$shared/api/client";

/** Explains the present price of a kind of mechanic. */
export function inWords(entry: Schemas["ClassPrice"]): string {
  const { mechanics, free, load, one_more_saves_per_hour: saves } = entry;
  if (mechanics === 0) return "None is online.";
  const busy =
    load >= mechanics
      ? "More calls come in than they can serve."
      : load >= mechanics * 0.8
        ? "They are busy nearly all the time."
        : "They keep up with the calls.";
  const more = saves >= 0.05 ? ` One more would save about ${rate(saves)}.` : " One more would change nothing now.";
  return (free === 0 ? "No mechanic is free. " : "") + busy + more;
}

function rate(perHour: number): string {
  const jobs = Math.round(perHour);
  const hours = Math.round(1 / perHour);
  if (perHour < 0.95 && hours > 1) return `one job every ${hours} hours`;
  return `${jobs} ${jobs === 1 ? "job" : "jobs"} an hour`;
}
