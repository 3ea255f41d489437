// The desks that the admin works at, as the service says. What belongs to others is not shown; the service refuses it
// in any case.
import { answer, api } from "$shared/api/client";
import { socket } from "$shared/api/socket.svelte";
import { allDesks, type Desk } from "../parts/desk";

class OwnDesks {
  /** Null until they are known. */
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
