// What an app needs to know before anybody signs in.
import { answer, api, type Schemas } from "./client";

export type Config = Schemas["AppConfig"];

let known: Promise<Config> | null = null;

/** Asked once; throws if the service can't be reached, and asks again then. */
export function config(): Promise<Config> {
  known ??= answer(api.GET("/config")).catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}
