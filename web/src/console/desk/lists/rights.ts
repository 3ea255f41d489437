// The super admin's rights, and the choice of desks.
import { session } from "$shared/api/session.svelte";
import { allDesks, deskNames, type Desk } from "../../parts/desk";

export const isSuper = () => session.role === "super_admin";

export const deskOptions: [Desk, string][] = allDesks.map((desk) => [desk, whatFor(desk)]);

function whatFor(desk: Desk): string {
  const matters: Record<Desk, string> = {
    dispatch: "jobs under way, the map, callers",
    money: "payments, refunds, payouts, disputes, fees",
    people: "mechanics' papers, suspensions, ratings",
    settings: "categories, workshops, dispatch settings, servers",
  };
  return `${deskNames[desk]}: ${matters[desk]}`;
}
