// The places, lines and areas that maps show.
import type { Feature, GeoJsonProperties, Position } from "geojson";
import { geojson, type GlMap } from "./map";

export interface Place {
  lat: number;
  lng: number;
}

/** Shows exactly these features in a source. */
export function show(map: GlMap, id: string, features: Feature[]): void {
  void geojson(map, id).setData({ type: "FeatureCollection", features });
}

export const point = ({ lat, lng }: Place, properties: GeoJsonProperties = {}): Feature => ({
  type: "Feature",
  geometry: { type: "Point", coordinates: [lng, lat] },
  properties,
});

/** Returns the line through these places; nothing if there are fewer than two. */
export const line = (coordinates: readonly Position[], properties: GeoJsonProperties = {}): Feature[] =>
  coordinates.length > 1
    ? [{ type: "Feature", geometry: { type: "LineString", coordinates: [...coordinates] }, properties }]
    : [];

export function circle({ lat, lng }: Place, radiusM: number, properties: GeoJsonProperties = {}): Feature {
  const ring = Array.from({ length: 49 }, (_, index) => {
    const angle = (index / 48) * 2 * Math.PI;
    return [
      lng + (Math.cos(angle) * radiusM) / (111_320 * Math.cos((lat * Math.PI) / 180)),
      lat + (Math.sin(angle) * radiusM) / 111_320,
    ];
  });
  return { type: "Feature", geometry: { type: "Polygon", coordinates: [ring] }, properties };
}
