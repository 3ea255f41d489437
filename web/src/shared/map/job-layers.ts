// The layers of a job's map for its vehicle and its mechanic, from the ground up.
import type { LayerSpecification } from "maplibre-gl";

const onTop = { "icon-allow-overlap": true, "icon-ignore-placement": true } as const;

export const jobLayers: LayerSpecification[] = [
  {
    id: "pickup-halo",
    type: "circle",
    source: "pickup",
    paint: {
      "circle-radius": 22,
      "circle-color": ["case", ["get", "end"], "#187a3d", "#d9480f"],
      "circle-opacity": 0.18,
    },
  },
  {
    id: "destination",
    type: "circle",
    source: "pickup",
    filter: ["get", "end"],
    paint: {
      "circle-radius": 9,
      "circle-color": "#187a3d",
      "circle-stroke-width": 3,
      "circle-stroke-color": "#ffffff",
    },
  },
  {
    id: "pickup",
    type: "symbol",
    source: "pickup",
    filter: ["!", ["get", "end"]],
    layout: { "icon-image": ["get", "image"], "icon-anchor": "bottom", "icon-size": 1.15, ...onTop },
  },
  {
    id: "mechanic-halo",
    type: "circle",
    source: "mechanic",
    filter: ["!", ["get", "stale"]],
    paint: { "circle-radius": 24, "circle-color": "#1d6fd8", "circle-opacity": 0.2 },
  },
  {
    id: "mechanic-heading",
    type: "symbol",
    source: "mechanic",
    filter: ["all", ["has", "heading"], ["!", ["get", "stale"]]],
    layout: {
      "icon-image": "heading-busy",
      "icon-rotate": ["get", "heading"],
      "icon-rotation-alignment": "map",
      ...onTop,
    },
  },
  {
    id: "mechanic",
    type: "symbol",
    source: "mechanic",
    layout: { "icon-image": ["case", ["get", "stale"], "mechanic-busy-stale", "mechanic-busy"], ...onTop },
  },
];
