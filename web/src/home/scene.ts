// The invented mechanics and jobs on the map behind the page.
import type { LayerSpecification } from "maplibre-gl";
import { point, show } from "$shared/map/features";
import { addImages } from "$shared/map/images";
import type { GlMap } from "$shared/map/map";
import { scheme } from "$shared/ui/scheme.svelte";

/** A place, its image, and the degrees clockwise from north in which a mechanic drives. */
type Mark = [lat: number, lng: number, image: string, heading?: number];

const JOBS: Mark[] = [
  [12.9738, 77.6114, "waiting"],
  [12.9505, 77.6002, "working"],
  [12.9858, 77.5942, "coming"],
];
const MECHANICS: Mark[] = [
  [12.9696, 77.6037, "offered", 55],
  [12.9784, 77.6302, "free", 250],
  [12.9948, 77.5865, "busy", 170],
  [12.9437, 77.5975, "free", 20],
  [12.9508, 77.5985, "busy"],
  [12.9612, 77.6188, "free", 300],
  [12.9342, 77.6165, "free", 330],
];

const shown = { "icon-size": 0.9, "icon-allow-overlap": true, "icon-ignore-placement": true } as const;
const LAYERS: LayerSpecification[] = [
  {
    id: "jobs",
    type: "symbol",
    source: "jobs",
    layout: { "icon-image": ["concat", "job-", ["get", "image"]], "icon-anchor": "bottom", ...shown },
  },
  {
    id: "mechanics-heading",
    type: "symbol",
    source: "mechanics",
    filter: ["has", "heading"],
    layout: {
      "icon-image": ["concat", "heading-", ["get", "image"]],
      "icon-rotate": ["get", "heading"],
      "icon-rotation-alignment": "map",
      ...shown,
    },
  },
  {
    id: "mechanics",
    type: "symbol",
    source: "mechanics",
    layout: { "icon-image": ["concat", "mechanic-", ["get", "image"]], ...shown },
  },
];

export function addScene(map: GlMap): void {
  addImages(map, scheme.current);
  for (const [id, marks] of Object.entries({ jobs: JOBS, mechanics: MECHANICS }))
    show(
      map,
      id,
      marks.map(([lat, lng, image, heading]) =>
        point({ lat, lng }, { image, ...(heading !== undefined && { heading }) }),
      ),
    );
  for (const layer of LAYERS) map.addLayer(layer);
}
