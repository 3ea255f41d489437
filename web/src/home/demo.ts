// The demo city of a service in development.
import { answer, api, type Schemas } from "$shared/api/client";
import { session } from "$shared/api/session.svelte";

export type DemoState = Schemas["DemoState"];
type Place = Schemas["DemoPlace"];

/** The longest wait for a device that does not report its position, or a person who does not decide. */
const WAIT_MS = 6_000;

export const demoState = (): Promise<DemoState> => answer(api.GET("/demo"));
export const stop = (): Promise<DemoState> => answer(api.POST("/demo/stop"));

/** Lets the city play around this device, if its position is known; a city that plays far away moves. */
export async function play(): Promise<DemoState> {
  const place = await here();
  return answer(api.POST("/demo/play", place ? { params: { query: place } } : {}));
}

/** Returns this device's position: the city is large, so a rough one is enough. */
function here(): Promise<Place | null> {
  return new Promise((found) => {
    setTimeout(() => found(null), WAIT_MS);
    if (!("geolocation" in navigator)) return found(null);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => found({ lat: rounded(latitude), lng: rounded(longitude) }),
      () => found(null),
      { timeout: WAIT_MS, maximumAge: 600_000 },
    );
  });
}

const rounded = (degrees: number): number => Math.round(degrees * 1_000) / 1_000;

const people = { console: "admin", customer: "customer", mechanic: "mechanic" } as const;
export type DemoApp = keyof typeof people;

/** Opens an app, signed in there as one of the demo's people. */
export async function enter(app: DemoApp): Promise<void> {
  await answer(api.POST("/demo/sign-in", { body: { as: people[app] }, headers: { "X-Session": `cookie/${app}` } }));
  session.announce(app);
  location.assign(`/${app}/`);
}
