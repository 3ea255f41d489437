// The desks of admins.
import type { Schemas } from "$shared/api/client";

export type Desk = Schemas["Desk"];

export const deskNames: Record<Desk, string> = {
  dispatch: "Dispatch",
  money: "Money",
  people: "People",
  settings: "Settings",
};
export const allDesks = Object.keys(deskNames) as Desk[];

/** The desks that handle cases of jobs and people. */
export const cases: Desk[] = ["dispatch", "money", "people"];
/** The desks that dispatch, and that configure dispatch. */
export const tuning: Desk[] = ["dispatch", "settings"];

/** Lists desks in words. */
export function deskList(list: Desk[]): string {
  return list.length === allDesks.length ? "All" : list.map((desk) => deskNames[desk]).join(", ");
}
