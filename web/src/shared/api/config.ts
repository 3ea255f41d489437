// The settings that an app needs before anybody signs in.
import { answer, api, type Schemas } from "./client";

export type Config = Schemas["AppConfig"];

let known: Promise<Config> | null = null;

/** Requests the settings once; throws if the service can't be reached, and then asks again on the next call. */
export function config(): Promise<Config> {
  known ??= answer(api.GET("/config")).catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}
