// A page with only a map: `/?zoom=12&lat=12.97&lng=77.6&scheme=dark&locale=hi&basemap=/map/basemap.pmtiles`.
// Tests call `window.map` and `window.addScene`.
import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import "./page.css";
import { overwriteGetLocale } from "$locale";
import { createMap, type GlMap } from "$shared/map/map";
import { scheme } from "$shared/ui/scheme.svelte";
import { addScene } from "../../../src/home/scene";

declare global {
  interface Window {
    map: GlMap;
    addScene: typeof addScene;
  }
}

const query = new URLSearchParams(location.search);
const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
const locale = query.get("locale");
if (locale === "en" || locale === "hi" || locale === "kn") overwriteGetLocale(() => locale);
scheme.choose(query.get("scheme") === "dark" ? "dark" : "light");

const container = document.createElement("div");
container.className = "map";
document.body.append(container);

const map = await createMap({
  container,
  center: { lat: number("lat", 12.9716), lng: number("lng", 77.5946) },
  zoom: number("zoom", 12),
  scheme: scheme.current,
  basemapUrl: query.get("basemap"),
});
Object.assign(window, { map, addScene });
map.once("idle", () => (document.body.dataset["drawn"] = "yes"));
