// The dispatch settings: their notation, and their effects.
import type { Schemas } from "$shared/api/client";
import { sentence } from "../../parts/words";

export type Knobs = Schemas["DispatchKnobs"];
export type KnobName = keyof Knobs;

export interface Knob {
  name: KnobName;
  title: string;
  /** A number without it. */
  kind?: "list" | "flag";
  unit?: string;
  says: string;
}

export const groups: { title: string; knobs: Knob[] }[] = [
  {
    title: "How far and how long to search",
    knobs: [
      {
        name: "rings_km",
        title: "Rings",
        kind: "list",
        unit: "km",
        says: "Rings around the pickup, each larger than the one before, up to 500 km.",
      },
      {
        name: "round_widths",
        title: "Offers at a time",
        kind: "list",
        unit: "offers",
        says: "Simultaneous offers in round 1, 2, …; the last applies to every later round.",
      },
      {
        name: "max_rounds",
        title: "Rounds",
        unit: "rounds",
        says: "After so many rounds of offers a search ends without a mechanic.",
      },
      {
        name: "offer_ttl_s",
        title: "Time to answer",
        unit: "s",
        says: "How long a mechanic may think about an offer; at most as long as the search.",
      },
      {
        name: "attempt_ttl_s",
        title: "Length of a search",
        unit: "s",
        says:
          "How long a search lasts. Lower it to tell customers sooner that no mechanic is coming, at the price " +
          "of fewer jobs served.",
      },
      {
        name: "urgent_first_round",
        title: "First round when urgent",
        unit: "round",
        says: "Where accidents and highway jobs begin.",
      },
      {
        name: "window_ms",
        title: "Time to collect jobs",
        unit: "ms",
        says: "How long competing jobs are collected before they are matched together.",
      },
    ],
  },
  {
    title: "Which job comes first",
    knobs: [
      {
        name: "unserved_s",
        title: "Cost of no mechanic",
        unit: "s",
        says: "The cost of leaving a job without a mechanic, in seconds of pickup time.",
      },
      {
        name: "waiting_weight_s_per_min",
        title: "Weight of waiting",
        unit: "s a minute",
        says: "More for each minute that it has waited, for an hour at most.",
      },
      { name: "highway_bonus_s", title: "Highway", unit: "s", says: "More on a highway." },
      { name: "accident_bonus_s", title: "Accident", unit: "s", says: "More after an accident." },
    ],
  },
  {
    title: "Which mechanic is asked",
    knobs: [
      {
        name: "refusal_weight_s",
        title: "Weight of refusals",
        unit: "s",
        says: "More for refusals that are to be expected from the last 20 answers.",
      },
      {
        name: "idle_weight_s_per_min",
        title: "Weight of standing idle",
        unit: "s a minute",
        says: "Less for each minute without a job, for an hour at most.",
      },
    ],
  },
  {
    title: "When mechanics are scarce",
    knobs: [
      {
        name: "mechanic_prices",
        title: "Prices of mechanics’ time",
        kind: "flag",
        says:
          "An hour of a mechanic has a price: no mechanic is sent where it exceeds what the job is worth. Off: " +
          "the pickup alone counts.",
      },
      {
        name: "worth_s",
        title: "Worth of a job",
        unit: "s",
        says: "What serving a job in time is worth. Up if a job should be served although others are lost.",
      },
      {
        name: "in_time_s",
        title: "In time",
        unit: "s",
        says: "A mechanic who arrives within this time after the call is in time: what you promise your customers.",
      },
      {
        name: "late_percent",
        title: "Worth if late",
        unit: "%",
        says: "How much of that worth is left if they come late.",
      },
      {
        name: "eta_sigma",
        title: "Spread of ETAs",
        says: "How far trips are from their estimates. Up if they differ much.",
      },
      {
        name: "price_window_s",
        title: "Time to count calls",
        unit: "s",
        says: "Over how long calls are counted. Down if demand changes within minutes.",
      },
      {
        name: "hold_accidents",
        title: "Hold back accidents",
        kind: "flag",
        says: "Whether an accident may be held back, too. Leave it off.",
      },
      {
        name: "advice_after_s",
        title: "Advice where to wait",
        unit: "s",
        says: "Mechanics without a job for so long are advised where to wait; 0: no one is.",
      },
      {
        name: "price_switchback",
        title: "Prices by the hour",
        kind: "flag",
        says:
          "Prices are on in one of every two hours and off in the other, to measure what they are worth. The " +
          "page of prices compares them.",
      },
    ],
  },
];

export const knobs = groups.flatMap((group) => group.knobs);

/** Converts settings to the texts of the form's fields. */
export function toFields(settings: Knobs): Record<KnobName, string> {
  return Object.fromEntries(
    knobs.map(({ name }) => [name, Array.isArray(settings[name]) ? settings[name].join(", ") : String(settings[name])]),
  ) as Record<KnobName, string>;
}

/** Returns the settings, or the faults of the fields. The service checks limits. */
export function fromFields(fields: Record<KnobName, string>): {
  settings: Knobs | null;
  wrong: Partial<Record<KnobName, string>>;
} {
  const wrong: Partial<Record<KnobName, string>> = {};
  const settings: Record<string, unknown> = {};
  for (const { name, kind } of knobs) {
    const text = fields[name].trim();
    if (kind === "flag") settings[name] = text === "true";
    else if (kind === "list") {
      const numbers = text
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(Number);
      if (numbers.length === 0 || numbers.some(Number.isNaN))
        wrong[name] = "Numbers with commas between them, such as 3, 5, 8.";
      settings[name] = numbers;
    } else {
      const number = Number(text);
      if (text === "" || Number.isNaN(number)) wrong[name] = "A number.";
      settings[name] = number;
    }
  }
  return { settings: Object.keys(wrong).length > 0 ? null : (settings as unknown as Knobs), wrong };
}

/** Returns the title of a setting; a name without a title here is spelled out. */
export const knobTitle = (name: string): string => knobs.find((knob) => knob.name === name)?.title ?? sentence(name);
