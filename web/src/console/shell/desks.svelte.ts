// The desks that the admin works at, as the service says. What belongs to others is not shown; the service refuses it in any case.
import { answer, api, type Schemas } from "$shared/api/client";
import { socket } from "$shared/api/socket.svelte";

export type Desk = Schemas["Desk"];

export const deskNames: Record<Desk, string> = {
  dispatch: "Dispatch",
  money: "Money",
  people: "People",
  settings: "Settings",
};
export const allDesks = Object.keys(deskNames) as Desk[];

/** Whoever answers for a job or a person. */
export const cases: Desk[] = ["dispatch", "money", "people"];
/** Those who dispatch, and those who set how. */
export const tuning: Desk[] = ["dispatch", "settings"];

class OwnDesks {
  /** Null until the service has said. */
  own: Desk[] | null = $state.raw(null);

  look = async (): Promise<void> => {
    try {
      this.own = (await answer(api.GET("/users/me"))).desks;
    } catch {
      // What was known holds until the next look.
    }
  };

  /** Looks now, and whenever the socket opens anew: it is closed if the desks change. */
  keep(): () => void {
    void this.look();
    return socket.onOpen(() => {
      if (this.own !== null) void this.look();
    });
  }

  /** Whether they are at every desk. */
  get areAll(): boolean {
    return this.own === null || this.own.length === allDesks.length;
  }

  /** Whether they are at one of these. */
  has(...desks: Desk[]): boolean {
    return this.own === null || desks.some((desk) => this.own?.includes(desk));
  }
}

export const desks = new OwnDesks();

/** As people read it. */
export function deskList(list: Desk[]): string {
  return list.length === allDesks.length ? "All" : list.map((desk) => deskNames[desk]).join(", ");
}
