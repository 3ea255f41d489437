// The operator's own basemap: a PMTiles archive with the OpenMapTiles schema, as planetiler generates it.
import type * as Gl from "maplibre-gl";
import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import { PMTiles, Protocol } from "pmtiles";
import type { Ground } from "./ground";
import { byZoom, railLayers, roadLayers } from "./layers";
import type { Palette } from "./palette";
import type { Language } from "./sketch";
import { BOLD, REGULAR } from "./text";

/** West, south, east, north. */
type Box = readonly [number, number, number, number];

export interface Basemap {
  /** Reports whether it has tiles for some part of `box`. */
  covers(box: Box): boolean;
  ground(colour: Palette, language: Language): Ground;
}

let protocol: Protocol | null = null;

/** Throws if there is no archive, or one that can't be displayed. */
export async function openBasemap(gl: typeof Gl, url: string): Promise<Basemap> {
  if (!protocol) {
    protocol = new Protocol();
    gl.addProtocol("pmtiles", protocol.tile);
  }
  const archive = new PMTiles(url);
  const header = await archive.getHeader();
  if (header.tileType !== 1) throw new Error("its tiles are pictures, not vectors");
  const metadata = (await archive.getMetadata()) as { attribution?: unknown };
  protocol.add(archive);
  const bounds: Box = [header.minLon, header.minLat, header.maxLon, header.maxLat];
  return {
    covers: (box) => box[0] < bounds[2] && box[2] > bounds[0] && box[1] < bounds[3] && box[3] > bounds[1],
    ground: (colour, language) => style(url, bounds, credits(metadata.attribution), colour, language),
  };
}

/** Returns the source of the data. Archives contain HTML here; only its text is shown. */
export function credits(attribution: unknown): string {
  const words =
    new DOMParser()
      .parseFromString(typeof attribution === "string" ? attribution : "", "text/html")
      .body.textContent?.trim() ?? "";
  const safe = words.slice(0, 200).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const osm = '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">© OpenStreetMap</a>';
  return safe === "" ? osm : safe.replace(/©? ?OpenStreetMap/, osm);
}

function style(
  url: string,
  [west, south, east, north]: Box,
  attribution: string,
  colour: Palette,
  language: Language,
): Ground {
  const source = "basemap";
  const isWorld = east - west > 180;
  const classes = (...names: string[]): ExpressionSpecification => ["in", ["get", "class"], ["literal", names]];
  const is = (key: string, value: string): ExpressionSpecification => ["==", ["get", key], value];
  const name: ExpressionSpecification = [
    "coalesce",
    ["get", `name:${language}`],
    ["get", language === "en" ? "name:latin" : "name"],
    ["get", "name"],
  ];
  const halo = { "text-halo-color": colour.halo, "text-halo-width": 1.4 };
  const fill = (
    id: string,
    layer: string,
    filter: ExpressionSpecification | null,
    fillColour: string,
    minzoom = 0,
  ): LayerSpecification => ({
    id,
    type: "fill",
    source,
    "source-layer": layer,
    minzoom,
    ...(filter && { filter }),
    paint: { "fill-color": fillColour, "fill-antialias": layer === "building" },
  });
  const names = (
    id: string,
    layer: string,
    minzoom: number,
    filter: ExpressionSpecification | null,
    layout: object,
    textColour: string,
    maxzoom = 24,
  ): LayerSpecification => ({
    id,
    type: "symbol",
    source,
    "source-layer": layer,
    minzoom,
    maxzoom,
    ...(filter && { filter }),
    layout: {
      "text-field": name,
      "text-font": REGULAR,
      "text-max-width": 8,
      "text-padding": 4,
      "symbol-sort-key": ["coalesce", ["get", "rank"], 99],
      ...layout,
    },
    paint: { "text-color": textColour, ...halo },
  });
  const size = (...stops: number[]): ExpressionSpecification =>
    ["interpolate", ["linear"], ["zoom"], ...stops] as unknown as ExpressionSpecification;
  const isGround: ExpressionSpecification = ["!=", ["get", "brunnel"], "tunnel"];
  const roads: Record<string, string[]> = {
    motorway: ["motorway", "trunk"],
    primary: ["primary"],
    secondary: ["secondary"],
    tertiary: ["tertiary"],
    street: ["minor", "service"],
  };
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    sources: {
      extent: {
        type: "geojson",
        data: { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [corners] } },
      },
      basemap: { type: "vector", url: `pmtiles://${url}`, attribution },
    },
    layers: [
      // Inside the archive the outlines are hidden; a small archive would look like an odd box on the world
      // map.
      {
        id: "extent",
        type: "fill",
        source: "extent",
        paint: {
          "fill-color": colour.land,
          "fill-antialias": false,
          "fill-opacity": isWorld ? 1 : ["interpolate", ["linear"], ["zoom"], 5, 0, 7, 1],
        },
      },
      fill(
        "base-residential",
        "landuse",
        classes("residential", "suburb", "neighbourhood", "commercial", "industrial", "retail"),
        colour.town,
        8,
      ),
      fill("base-wood", "landcover", classes("wood", "forest"), colour.wood),
      fill("base-grass", "landcover", classes("grass", "wetland", "farmland"), colour.green, 12),
      fill("base-park", "park", null, colour.green, 9),
      fill("base-cemetery", "landuse", classes("cemetery", "pitch", "stadium", "garden", "zoo"), colour.green, 12),
      fill("base-airfield", "aeroway", ["==", ["geometry-type"], "Polygon"], colour.airfield, 10),
      {
        id: "base-runway",
        type: "line",
        source,
        "source-layer": "aeroway",
        minzoom: 11,
        filter: classes("runway"),
        paint: { "line-color": colour.runway, "line-width": byZoom(11, 2, 15, 14, 18, 80) },
      },
      fill("base-water", "water", ["!=", ["get", "brunnel"], "tunnel"], colour.water),
      {
        id: "base-waterway",
        type: "line",
        source,
        "source-layer": "waterway",
        minzoom: 10,
        filter: isGround,
        paint: { "line-color": colour.water, "line-width": byZoom(10, 0.6, 14, 1.5, 18, 6) },
      },
      fill("base-building", "building", null, colour.building, 15),
      ...railLayers(colour, {
        source,
        "source-layer": "transportation",
        filter: ["all", classes("rail"), isGround],
      } as { source: string }),
      {
        id: "base-path",
        type: "line",
        source,
        "source-layer": "transportation",
        minzoom: 15,
        filter: classes("path", "track"),
        paint: { "line-color": colour.streetCase, "line-width": byZoom(15, 1, 18, 3), "line-dasharray": [2, 2] },
      },
      ...roadLayers(
        colour,
        (road) =>
          ({
            source,
            "source-layer": "transportation",
            filter: ["all", ["==", ["geometry-type"], "LineString"], classes(...(roads[road] ?? []))],
          }) as { source: string },
      ),
      {
        id: "base-boundary",
        type: "line",
        source,
        "source-layer": "boundary",
        filter: ["all", ["<=", ["get", "admin_level"], 4], ["!=", ["get", "maritime"], 1]],
        paint: {
          "line-color": colour.border,
          "line-width": ["case", ["<=", ["get", "admin_level"], 2], 1.2, 0.7],
          "line-dasharray": [4, 2],
        },
      },
      names(
        "base-poi",
        "poi",
        15.5,
        [
          "all",
          ["<=", ["coalesce", ["get", "rank"], 99], 12],
          classes("hospital", "railway", "bus", "fuel", "police", "college", "stadium", "attraction"),
        ],
        { "text-size": 11 },
        colour.text,
      ),
      names(
        "base-road-names",
        "transportation_name",
        12.5,
        [
          "any",
          classes("motorway", "trunk", "primary"),
          ["all", classes("secondary", "tertiary"), [">=", ["zoom"], 14]],
          [">=", ["zoom"], 15.5],
        ],
        {
          "symbol-placement": "line",
          "symbol-spacing": 380,
          "text-max-angle": 35,
          "text-padding": 6,
          "text-size": size(12, 10, 16, 13),
          "symbol-sort-key": ["match", ["get", "class"], ["motorway", "trunk"], 0, "primary", 1, "secondary", 2, 3],
        },
        colour.textRoad,
      ),
      names("base-water-names", "water_name", 9, null, { "text-size": 11.5 }, colour.textWater),
      names(
        "base-park-names",
        "park",
        13.5,
        ["all", ["has", "name"], ["==", ["geometry-type"], "Point"]],
        { "text-size": 11.5 },
        colour.textGreen,
      ),
      names(
        "base-quarters",
        "place",
        12,
        classes("suburb", "neighbourhood", "quarter", "hamlet"),
        { "text-size": size(12, 11, 16, 14) },
        colour.text,
      ),
      names(
        "base-towns",
        "place",
        8,
        classes("town", "village"),
        { "text-size": size(8, 11, 14, 16) },
        colour.textStrong,
        15,
      ),
      names(
        "base-cities",
        "place",
        4,
        is("class", "city"),
        { "text-size": size(4, 11, 11, 20), "text-font": BOLD },
        colour.textStrong,
        13,
      ),
    ],
  };
}
