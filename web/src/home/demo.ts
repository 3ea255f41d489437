// The demo city of a service in development.
import { answer, api, type Schemas } from "$shared/api/client";
import { session, type AppName } from "$shared/api/session.svelte";

export type DemoState = Schemas["DemoState"];

export const demoState = (): Promise<DemoState> => answer(api.GET("/demo"));
export const play = (): Promise<DemoState> => answer(api.POST("/demo/play"));
export const stop = (): Promise<DemoState> => answer(api.POST("/demo/stop"));

const people = { console: "admin", customer: "customer", mechanic: "mechanic" } as const;

/** Opens an app, signed in there as one of the demo's people. */
export async function enter(app: AppName): Promise<void> {
  await answer(api.POST("/demo/sign-in", { body: { as: people[app] }, headers: { "X-Session": `cookie/${app}` } }));
  session.announce(app);
  location.assign(`/${app}/`);
}
