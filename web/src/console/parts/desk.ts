// Where admins work.
import type { Schemas } from "$shared/api/client";

export type Desk = Schemas["Desk"];

export const deskNames: Record<Desk, string> = {
  dispatch: "Dispatch",
  money: "Money",
  people: "People",
  settings: "Settings",
};
export const allDesks = Object.keys(deskNames) as Desk[];

/** The desks that answer for a job or a person. */
export const cases: Desk[] = ["dispatch", "money", "people"];
/** Those who dispatch, and those who set how. */
export const tuning: Desk[] = ["dispatch", "settings"];

/** As people read it. */
export function deskList(list: Desk[]): string {
  return list.length === allDesks.length ? "All" : list.map((desk) => deskNames[desk]).join(", ");
}
