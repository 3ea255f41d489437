// Creates maps. MapLibre is loaded with the first one; everything on a map is a GL layer, never a page element.
import type { GeoJSONSource, Map as GlMap, MapOptions } from "maplibre-gl";
import type { FeatureCollection } from "geojson";
import { getLocale } from "$locale";
import { m } from "$words";
import { ground, type Scheme } from "./ground";
import kannadaUrl from "./kannada.worker.mjs?url";

export type { GlMap };

const NOTHING: FeatureCollection = { type: "FeatureCollection", features: [] };

let loading: Promise<typeof import("maplibre-gl")> | null = null;

async function library(): Promise<typeof import("maplibre-gl")> {
  loading ??= (async () => {
    const [gl, worker] = await Promise.all([
      import("maplibre-gl"),
      import("maplibre-gl/dist/maplibre-gl-worker.mjs?url"),
      import("maplibre-gl/dist/maplibre-gl.css"),
    ]);
    await import("./controls.css");
    gl.setWorkerUrl(worker.default);
    // If workers ended with the last map, a map being created meanwhile (new colours or language) would fail.
    gl.prewarm();
    return gl;
  })();
  return loading;
}

export interface NewMap {
  container: HTMLElement;
  center: { lat: number; lng: number };
  zoom: number;
  scheme: Scheme;
  basemapUrl: string | null;
  /** Whether fingers and keys pan and zoom it; a mere picture of a place is not interactive. */
  interactive?: boolean;
  options?: Partial<MapOptions>;
}

/** Throws if the browser can't draw maps. */
export async function createMap({
  container,
  center,
  zoom,
  scheme,
  basemapUrl,
  interactive = true,
  options = {},
}: NewMap): Promise<GlMap> {
  const gl = await library();
  if (getLocale() === "kn") await gl.importScriptInWorkers(new URL(kannadaUrl, location.href).href);
  const style = await ground(gl, scheme, basemapUrl);
  const map = new gl.Map({
    container,
    style,
    center: [center.lng, center.lat],
    zoom,
    interactive,
    attributionControl: { compact: true },
    maxZoom: 19,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150,
    locale: {
      "NavigationControl.ZoomIn": m.map_zoom_in(),
      "NavigationControl.ZoomOut": m.map_zoom_out(),
      "AttributionControl.ToggleAttribution": m.map_credits(),
    },
    ...options,
  });
  map.touchZoomRotate.disableRotation();
  if (interactive) map.addControl(new gl.NavigationControl({ showCompass: false }), "bottom-right");
  await new Promise<void>((resolve, reject) => {
    const failed = ({ error }: { error: unknown }) => reject(error);
    map.once("error", failed);
    map.once("style.load", () => {
      map.off("error", failed);
      resolve();
    });
  });
  return map;
}

/** Returns the source of a GeoJSON layer, created empty on first use. */
export function geojson(map: GlMap, id: string): GeoJSONSource {
  const source = map.getSource<GeoJSONSource>(id);
  if (source) return source;
  map.addSource(id, { type: "geojson", data: NOTHING });
  return map.getSource<GeoJSONSource>(id) as GeoJSONSource;
}

/** Returns a box around points, with a margin that keeps a single point from filling the screen. */
export function boxAround(points: { lat: number; lng: number }[]): [[number, number], [number, number]] {
  const margin = 0.002;
  const lats = points.map((point) => point.lat);
  const lngs = points.map((point) => point.lng);
  return [
    [Math.min(...lngs) - margin, Math.min(...lats) - margin],
    [Math.max(...lngs) + margin, Math.max(...lats) + margin],
  ];
}
