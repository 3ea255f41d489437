// The admin's desks, according to the service. Pages of other desks are hidden; the service refuses them in any
// case.
import { answer, api } from "$shared/api/client";
import { socket } from "$shared/api/socket.svelte";
import { allDesks, type Desk } from "../parts/desk";

class OwnDesks {
  /** The admin's desks; null until they are known. */
  own: Desk[] | null = $state.raw(null);

  look = async (): Promise<void> => {
    try {
      this.own = (await answer(api.GET("/users/me"))).desks;
    } catch {
      // The last known desks stay until the next load.
    }
  };

  /** Loads now, and whenever the socket opens again: it is closed if the desks change. */
  keep(): () => void {
    void this.look();
    return socket.onOpen(() => {
      if (this.own !== null) void this.look();
    });
  }

  /** Whether the admin is at every desk. */
  get areAll(): boolean {
    return this.own === null || this.own.length === allDesks.length;
  }

  /** Returns whether the admin is at one of these desks. */
  has(...desks: Desk[]): boolean {
    return this.own === null || desks.some((desk) => this.own?.includes(desk));
  }
}

export const desks = new OwnDesks();
