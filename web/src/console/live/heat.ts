// The origins of jobs, and the mechanics' times, in hexagons under the fleet.
import type { Schemas } from "$shared/api/client";
import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";

export type HeatCell = Schemas["HeatCell"];

export interface Heat {
  shows: "demand" | "minutes";
  cells: HeatCell[];
}

/** Returns a resolution with some dozens of cells across the screen. `bounds` has the interface's format. */
export function resolutionFor(bounds: string): number {
  const [west = 0, , east = 0] = bounds.split(",").map(Number);
  const degrees = east >= west ? east - west : east - west + 360;
  if (degrees > 8) return 4;
  if (degrees > 2) return 6;
  if (degrees > 0.7) return 7;
  return degrees > 0.12 ? 8 : 9;
}

/** Adds the layer; returns a function that shows a heat map, or none for null. */
export function addHeat(map: GlMap): (heat: Heat | null) => void {
  map.addSource("heat", { type: "geojson", data: { type: "FeatureCollection", features: [] } });
  map.addLayer(
    {
      id: "heat",
      type: "fill",
      source: "heat",
      paint: {
        "fill-color": ["interpolate", ["linear"], ["get", "v"], 0, "#2c7fb8", 0.5, "#f5a524", 1, "#e5484d"],
        "fill-opacity": 0.4,
      },
    },
    map.getLayer("fleet-cells") ? "fleet-cells" : undefined,
  );
  return (heat) => {
    const most = Math.max(1, ...(heat?.cells ?? []).map((cell) => cell.jobs));
    const value = (cell: HeatCell) =>
      heat?.shows === "demand" ? Math.sqrt(cell.jobs / most) : Math.min(1, (cell.median_minutes_to_arrival ?? 0) / 45);
    const shown = (heat?.cells ?? []).filter(
      (cell) => heat?.shows === "demand" || cell.median_minutes_to_arrival !== null,
    );
    map.getSource<GeoJSONSource>("heat")?.setData({
      type: "FeatureCollection",
      features: shown.map((cell) => ({
        type: "Feature",
        geometry: { type: "Polygon", coordinates: [cell.ring] },
        properties: { v: value(cell) },
      })),
    });
  };
}
