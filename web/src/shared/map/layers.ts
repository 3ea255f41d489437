// Layers of roads and railways, for both the sketch and the basemap.
import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { Palette } from "./palette";

/** Returns widths by zoom, given pairs of a zoom and a width. */
export function byZoom(...stops: number[]): ExpressionSpecification {
  return ["interpolate", ["exponential", 1.5], ["zoom"], ...stops] as unknown as ExpressionSpecification;
}

const roadWidths = {
  motorway: [8, 0.8, 11, 2.2, 13, 4.5, 15, 10, 18, 40],
  primary: [10, 0.6, 11, 1.4, 13, 3.4, 15, 8.5, 18, 34],
  secondary: [11, 0.4, 12, 1, 13, 2.2, 15, 7, 18, 28],
  tertiary: [12.5, 0.4, 13, 1, 15, 4.5, 18, 22],
  street: [13, 0.3, 14, 0.9, 15, 2.6, 18, 16],
} as const;
type RoadClass = keyof typeof roadWidths;

/**
 * Returns the layers of roads, each with an edge and a surface; all edges lie under all surfaces to open crossings.
 */
export function roadLayers(
  colour: Palette,
  of: (roadClass: RoadClass) => Partial<LayerSpecification> & { source: string },
): LayerSpecification[] {
  const classes: [RoadClass, number, string, string][] = [
    ["street", 13.3, colour.street, colour.streetCase],
    ["tertiary", 12.5, colour.secondary, colour.secondaryCase],
    ["secondary", 11, colour.secondary, colour.secondaryCase],
    ["primary", 9.5, colour.primary, colour.primaryCase],
    ["motorway", 7, colour.motorway, colour.motorwayCase],
  ];
  const layout = { "line-cap": "round", "line-join": "round" } as const;
  const edges = classes.map(([name, minzoom, , edge]): LayerSpecification => {
    const stops = roadWidths[name].map((value, index) => (index % 2 === 0 ? value : value + (value > 4 ? 2 : 1.2)));
    return {
      ...of(name),
      id: `${of(name).source}-${name}-edge`,
      type: "line",
      minzoom,
      layout,
      paint: { "line-color": edge, "line-width": byZoom(...stops) },
    } as LayerSpecification;
  });
  const surfaces = classes.map(([name, minzoom, surface]): LayerSpecification => {
    return {
      ...of(name),
      id: `${of(name).source}-${name}`,
      type: "line",
      minzoom,
      layout,
      paint: { "line-color": surface, "line-width": byZoom(...roadWidths[name]) },
    } as LayerSpecification;
  });
  return [...edges, ...surfaces];
}

/** Returns a line with sleepers. */
export function railLayers(
  colour: Palette,
  of: Partial<LayerSpecification> & { source: string },
): LayerSpecification[] {
  return [
    {
      ...of,
      id: `${of.source}-rail`,
      type: "line",
      minzoom: 10,
      paint: { "line-color": colour.rail, "line-width": byZoom(10, 0.6, 14, 1.6, 18, 4) },
    },
    {
      ...of,
      id: `${of.source}-rail-sleepers`,
      type: "line",
      minzoom: 13,
      paint: { "line-color": colour.rail, "line-width": byZoom(13, 3, 18, 12), "line-dasharray": [0.3, 3] },
    },
  ] as LayerSpecification[];
}
