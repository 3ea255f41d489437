// The ground of all maps: outlines of the world, a sketch of the demo city, and the operator's basemap if there is
// one.
import type * as Gl from "maplibre-gl";
import type { ExpressionSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from "maplibre-gl";
import type { Feature, FeatureCollection, Polygon, Position } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import worldUrl from "world-atlas/countries-110m.json?url";
import { getLocale } from "$locale";
import { m } from "$words";
import sketchUrl from "./bengaluru.json?url";
import { byZoom, railLayers, roadLayers } from "./layers";
import { palettes, type Palette, type Scheme } from "./palette";
import { sketchFeatures, SKETCH_BOUNDS, type Language, type Sketch } from "./sketch";
import { BOLD, fontsLoaded, REGULAR } from "./text";

export type { Scheme };

/** Sources and layers on top of the previous ones. */
export interface Ground {
  sources: Record<string, SourceSpecification>;
  layers: LayerSpecification[];
}

/** Returns the style of an empty map. */
export async function ground(gl: typeof Gl, scheme: Scheme, basemapUrl: string | null): Promise<StyleSpecification> {
  const colour = palettes[scheme];
  const language = getLocale();
  const [world, city, basemap] = await Promise.all([
    load<Topology>(worldUrl),
    load<Sketch>(sketchUrl),
    opened(gl, basemapUrl),
    fontsLoaded(),
  ]);
  const hasCity = !basemap?.covers(SKETCH_BOUNDS);
  const grounds = [
    worldGround(world, colour, language),
    ...(hasCity ? [sketchGround(sketchFeatures(city, language), colour)] : []),
    ...(basemap ? [basemap.ground(colour, language)] : []),
  ];
  return {
    version: 8,
    sources: Object.assign({}, ...grounds.map(({ sources }) => sources)) as StyleSpecification["sources"],
    layers: [
      // The outlines are coarse: the sea fades out before it could cover a coastal city.
      {
        id: "sea",
        type: "background",
        paint: { "background-color": ["interpolate", ["linear"], ["zoom"], 5.5, colour.sea, 7.5, colour.land] },
      },
      ...grounds.flatMap(({ layers }) => layers),
    ],
  };
}

async function load<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

/** Opens the operator's archive. The map works without it if it can't be read. */
async function opened(gl: typeof Gl, url: string | null) {
  if (url === null) return null;
  try {
    const { openBasemap } = await import("./basemap");
    return await openBasemap(gl, new URL(url, location.href).href);
  } catch (error) {
    console.warn("the basemap can't be read", error);
    return null;
  }
}

/**
 * Shows no borders: some of them are disputed, and in some countries a map that shows them differently is an offence.
 */
function worldGround(world: Topology, colour: Palette, language: Language): Ground {
  const atlas = world.objects["countries"] as GeometryCollection<{ name: string }>;
  const countries = feature(world, atlas);
  return {
    sources: {
      world: { type: "geojson", data: { ...countries, features: countries.features.map(unbroken) } },
      countries: { type: "geojson", data: countryNames(countries, language) },
    },
    layers: [
      { id: "land", type: "fill", source: "world", paint: { "fill-color": colour.land, "fill-antialias": false } },
      {
        id: "country-names",
        type: "symbol",
        source: "countries",
        minzoom: 1.5,
        maxzoom: 7,
        layout: {
          "text-field": ["get", "name"],
          "text-font": BOLD,
          "text-max-width": 7,
          "text-letter-spacing": 0.04,
          "symbol-sort-key": ["-", 0, ["get", "size"]],
          "text-size": [
            "interpolate",
            ["linear"],
            ["zoom"],
            2,
            ["interpolate", ["linear"], ["get", "size"], 5, 9, 400, 12],
            6,
            ["interpolate", ["linear"], ["get", "size"], 5, 12, 400, 20],
          ],
        },
        paint: { "text-color": colour.text, "text-halo-color": colour.halo, "text-halo-width": 1.2 },
      },
    ],
  };
}

/**
 * Continues an area that crosses the 180th meridian beyond it; otherwise it would be a band around the world.
 * Antarctica is such a band.
 */
function unbroken<F extends Feature>(country: F): F {
  const { geometry } = country;
  if (country.id === "010" || (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon")) return country;
  const ring = (points: Position[]): Position[] => {
    let turn = 0;
    return points.map(([lng = 0, lat = 0], index) => {
      const last = points[index - 1]?.[0] ?? lng;
      if (Math.abs(lng - last) > 180) turn += lng < last ? 360 : -360;
      return [lng + turn, lat];
    });
  };
  return {
    ...country,
    geometry:
      geometry.type === "Polygon"
        ? { ...geometry, coordinates: geometry.coordinates.map(ring) }
        : { ...geometry, coordinates: geometry.coordinates.map((part) => part.map(ring)) },
  };
}

/** Returns a point in the largest part of each country. */
export function countryNames(countries: FeatureCollection, language: Language): FeatureCollection {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  return {
    type: "FeatureCollection",
    features: countries.features.flatMap((country): Feature[] => {
      const { geometry, properties, id } = country;
      if (geometry?.type !== "Polygon" && geometry?.type !== "MultiPolygon") return [];
      const parts = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
      const measured = parts.map(centroid).sort((a, b) => b.size - a.size)[0];
      if (!measured) return [];
      // The atlas has numbers ("356"), names belong to letters ("IN").
      const region = id === undefined ? undefined : new Intl.Locale(`und-${String(id).padStart(3, "0")}`).region;
      const name = (region && /^[A-Z]{2}$/.test(region) && names.of(region)) || (properties?.["name"] as string);
      return [
        {
          type: "Feature",
          geometry: { type: "Point", coordinates: measured.at },
          properties: { name, size: Math.round(measured.size) },
        },
      ];
    }),
  };
}

function centroid(rings: Polygon["coordinates"]): { at: Position; size: number } {
  const ring = rings[0] ?? [];
  let [twice, x, y] = [0, 0, 0];
  ring.forEach(([lng = 0, lat = 0], index) => {
    const [nextLng = 0, nextLat = 0] = ring[(index + 1) % ring.length] ?? [];
    const cross = lng * nextLat - nextLng * lat;
    twice += cross;
    x += (lng + nextLng) * cross;
    y += (lat + nextLat) * cross;
  });
  return { at: [x / (3 * twice), y / (3 * twice)], size: Math.abs(twice) / 2 };
}

function sketchGround(data: FeatureCollection, colour: Palette): Ground {
  const kind = (name: string): ExpressionSpecification => ["==", ["get", "kind"], name];
  const of = (name: string, value: string): ExpressionSpecification => [
    "all",
    kind(name),
    ["==", ["get", "class"], value],
  ];
  const source = "sketch";
  const halo = { "text-halo-color": colour.halo, "text-halo-width": 1.4 };
  const places = (
    id: string,
    minzoom: number,
    filter: ExpressionSpecification,
    layout: object,
    textColour: string,
    maxzoom = 24,
  ): LayerSpecification => ({
    id,
    type: "symbol",
    source,
    minzoom,
    maxzoom,
    filter,
    layout: { "text-field": ["get", "name"], "text-font": REGULAR, "text-max-width": 8, "text-padding": 4, ...layout },
    paint: { "text-color": textColour, ...halo },
  });
  return {
    sources: { sketch: { type: "geojson", data, attribution: m.map_sketch(), maxzoom: 16, tolerance: 0.3 } },
    layers: [
      {
        id: "town",
        type: "fill",
        source,
        minzoom: 8,
        filter: kind("town"),
        paint: { "fill-color": colour.town, "fill-antialias": false },
      },
      {
        id: "airfield",
        type: "fill",
        source,
        minzoom: 10,
        filter: kind("airfield"),
        paint: { "fill-color": colour.airfield },
      },
      ...roadLayers(colour, (name) => ({ source, filter: of("road", name) })).filter(({ id }) =>
        /street|tertiary/.test(id),
      ),
      { id: "park", type: "fill", source, minzoom: 10, filter: kind("park"), paint: { "fill-color": colour.green } },
      { id: "lake", type: "fill", source, minzoom: 9, filter: kind("lake"), paint: { "fill-color": colour.water } },
      {
        id: "airfield-ground",
        type: "fill",
        source,
        minzoom: 12.5,
        filter: kind("airfield"),
        paint: { "fill-color": colour.airfield },
      },
      {
        id: "runway",
        type: "line",
        source,
        minzoom: 11,
        filter: kind("runway"),
        paint: { "line-color": colour.runway, "line-width": byZoom(11, 2, 15, 14, 18, 80) },
      },
      ...railLayers(colour, { source, filter: kind("rail") }),
      ...roadLayers(colour, (name) => ({ source, filter: of("road", name) })).filter(
        ({ id }) => !/street|tertiary/.test(id),
      ),
      {
        id: "road-names",
        type: "symbol",
        source,
        minzoom: 12.5,
        filter: [
          "all",
          kind("road"),
          ["has", "name"],
          ["any", ["in", ["get", "class"], ["literal", ["motorway", "primary"]]], [">=", ["zoom"], 14]],
        ],
        layout: {
          "symbol-placement": "line",
          "symbol-spacing": 380,
          "text-field": ["get", "name"],
          "text-font": REGULAR,
          "text-padding": 6,
          "text-max-angle": 35,
          "text-size": ["interpolate", ["linear"], ["zoom"], 12, 10, 16, 13],
          "symbol-sort-key": ["match", ["get", "class"], "motorway", 0, "primary", 1, 2],
        },
        paint: { "text-color": colour.textRoad, ...halo },
      },
      places("names-3", 14.2, of("place", "landmark"), { "text-size": 11.5 }, colour.text),
      places(
        "names-green",
        13,
        of("place", "park"),
        { "text-size": 11.5, "symbol-sort-key": ["-", 0, ["get", "size"]] },
        colour.textGreen,
      ),
      places("names-airfield", 12, of("place", "airfield"), { "text-size": 11.5 }, colour.text),
      places(
        "names-water",
        12,
        of("place", "lake"),
        { "text-size": 11.5, "symbol-sort-key": ["-", 0, ["get", "size"]] },
        colour.textWater,
      ),
      places(
        "names-2",
        12.3,
        ["all", of("place", "quarter"), ["==", ["get", "rank"], 2]],
        { "text-size": ["interpolate", ["linear"], ["zoom"], 12, 11, 16, 14] },
        colour.text,
      ),
      places(
        "names-1",
        10.8,
        ["all", of("place", "quarter"), ["==", ["get", "rank"], 1]],
        { "text-size": ["interpolate", ["linear"], ["zoom"], 11, 11, 16, 16], "text-font": BOLD },
        colour.textStrong,
      ),
      places(
        "names-town",
        8,
        ["all", of("place", "town"), ["==", ["get", "rank"], 2]],
        { "text-size": ["interpolate", ["linear"], ["zoom"], 8, 11, 14, 15] },
        colour.textStrong,
      ),
      places(
        "names-city",
        5,
        ["all", of("place", "town"), ["==", ["get", "rank"], 1]],
        { "text-size": ["interpolate", ["linear"], ["zoom"], 5, 12, 11, 20], "text-font": BOLD },
        colour.textStrong,
        11.5,
      ),
    ],
  };
}
