// A page with nothing but a map: `/?zoom=12&lat=12.97&lng=77.6&scheme=dark&locale=hi&basemap=/map/basemap.pmtiles`.
import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "./page.css";
import { overwriteGetLocale } from "$locale";
import { createMap } from "$shared/map/map";

const query = new URLSearchParams(location.search);
const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
const locale = query.get("locale") as "en" | "hi" | "kn" | null;
if (locale) overwriteGetLocale(() => locale);
const scheme = query.get("scheme") === "dark" ? "dark" : "light";
document.documentElement.dataset["scheme"] = scheme;

const container = document.createElement("div");
container.className = "map";
document.body.append(container);

const made = createMap({
  container,
  center: { lat: number("lat", 12.9716), lng: number("lng", 77.5946) },
  zoom: number("zoom", 12),
  scheme,
  basemapUrl: query.get("basemap"),
  options: { canvasContextAttributes: { preserveDrawingBuffer: true } },
});
const map = await made;
map.once("idle", () => (document.body.dataset["drawn"] = "yes"));
Object.assign(window, { made });
