// Finds places by their name, and the address at a point.
import { getLocale } from "$locale";
import { answer, api, type Schemas } from "../api/client";
import { config } from "../api/config";

export type FoundPlace = Schemas["Place"];
export type PlacesConfig = Schemas["PlacesConfig"];

interface Point {
  lat: number;
  lng: number;
}

/** Returns how this service searches; null if it can't, or can't be reached. */
export async function placeSearch(): Promise<PlacesConfig | null> {
  return config().then(
    ({ places }) => places,
    () => null,
  );
}

const header = () => ({ "Accept-Language": getLocale() });

export async function findPlaces(q: string, near: Point | null, signal: AbortSignal): Promise<FoundPlace[]> {
  const around = near ? { near_lat: near.lat, near_lng: near.lng } : {};
  const params = { query: { q, ...around }, header: header() };
  return (await answer(api.GET("/places", { params, signal }))).data;
}

/** Returns the address of a pin that has come to rest; null if there is none, or no search. */
export async function addressAt({ lat, lng }: Point, signal: AbortSignal): Promise<string | null> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  if (signal.aborted || !(await placeSearch())) return null;
  const params = { query: { lat, lng }, header: header() };
  const found = answer(api.GET("/places/reverse", { params, signal })).catch(() => null);
  return (await found)?.place?.address ?? null;
}

const REST_MS = 600;
