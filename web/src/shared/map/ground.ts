// What is under everything else on a map: the operator's basemap if there is one, else outlines of the world.
import type * as Gl from "maplibre-gl";
import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import worldUrl from "world-atlas/countries-110m.json?url";

export type Scheme = "light" | "dark";

const colours = {
  light: { water: "#cfdde8", land: "#f3f1ec", border: "#b9b4a8", label: "#4b5664", halo: "#ffffff" },
  dark: { water: "#0d1722", land: "#1b222c", border: "#3b4757", label: "#aab4c1", halo: "#12161c" },
} as const;

/** The style of an empty map. */
export async function ground(_gl: typeof Gl, scheme: Scheme, _basemapUrl: string | null): Promise<StyleSpecification> {
  const colour = colours[scheme];
  const world = (await (await fetch(worldUrl)).json()) as Topology;
  const layers: LayerSpecification[] = [
    { id: "water", type: "background", paint: { "background-color": colour.water } },
    { id: "land", type: "fill", source: "world", paint: { "fill-color": colour.land } },
    { id: "borders", type: "line", source: "world", paint: { "line-color": colour.border, "line-width": 1 } },
  ];
  const countries = world.objects["countries"];
  return {
    version: 8,
    sources: {
      world: {
        type: "geojson",
        data: countries ? (feature(world, countries) as GeoJSON.FeatureCollection) : { type: "FeatureCollection", features: [] },
      },
    },
    layers,
  };
}
