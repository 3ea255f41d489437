import { resolve } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { archive } from "../support/pmtiles";
import { servePage } from "../support/vite";

const bengaluru = { lat: 12.975, lng: 77.6 };
const files: Record<string, Buffer> = {};
let page: Page;
let address: string;
let stop: () => Promise<void>;

test.beforeAll(async ({ browser }) => {
  const { url, server } = await servePage(resolve(import.meta.dirname, "page"), [
    {
      name: "archives",
      // Answers range requests, as the service does.
      configureServer: ({ middlewares }) => {
        middlewares.use("/archives/", (request, response) => {
          const file = files[(request.url ?? "").slice(1)];
          const [, from = "0", to] = /bytes=(\d+)-(\d+)?/.exec(request.headers.range ?? "") ?? [];
          if (!file) response.writeHead(404).end();
          else {
            const part = file.subarray(Number(from), to === undefined ? undefined : Number(to) + 1);
            response
              .writeHead(206, {
                "content-range": `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`,
                etag: '"1"',
              })
              .end(part);
          }
        });
      },
    },
  ]);
  address = url;
  stop = () => server.close();
  page = await browser.newPage({ viewport: { width: 800, height: 600 } });
});
test.afterAll(async () => {
  await page.close();
  await stop();
});

async function open(query: Record<string, string | number>): Promise<void> {
  await page.goto(
    `${address}/?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
  );
  await expect(page.locator("body[data-drawn]")).toBeAttached({ timeout: 90_000 });
}

/** Returns the texts drawn in layers, and the classes of lines. */
const drawn = (...layers: string[]) =>
  page.evaluate(
    (layers) => [
      ...new Set(
        window.map
          .queryRenderedFeatures({ layers })
          .map(({ layer, properties }) =>
            String((layer.layout as Record<string, unknown> | undefined)?.["text-field"] ?? properties["class"]),
          ),
      ),
    ],
    layers,
  );

/** Returns the colour of a place on the map, as `r,g,b`. */
const colourAt = (lat: number, lng: number) =>
  page.evaluate(
    ([lat, lng]) =>
      new Promise<string>((found) => {
        const { map } = window;
        map.once("render", () => {
          const gl = map.getCanvas().getContext("webgl2") as WebGL2RenderingContext;
          const { x, y } = map.project([lng, lat]);
          const pixel = new Uint8Array(4);
          gl.readPixels(Math.round(x), gl.drawingBufferHeight - Math.round(y), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          found([...pixel.slice(0, 3)].join());
        });
        map.triggerRepaint();
      }),
    [lat, lng] as const,
  );

test("the city has its roads, lakes, parks and names, and says that it is a sketch", { tag: "@map" }, async () => {
  await open({ ...bengaluru, zoom: 13 });
  expect(await drawn("names-1", "names-2")).toEqual(expect.arrayContaining(["Shivajinagar", "MG Road"]));
  expect(await drawn("names-water", "names-green")).toEqual(expect.arrayContaining(["Ulsoor Lake", "Cubbon Park"]));
  expect(await drawn("road-names")).toEqual(expect.arrayContaining(["Richmond Road"]));
  expect(await colourAt(12.981, 77.62)).toBe("185,214,232");
  await expect(page.getByText("Sketch map of Bengaluru, not for navigation")).toBeAttached();
});

test(
  "names are in the page's language, in its font, and Kannada's letters hold together",
  { tag: "@map" },
  async () => {
    const families = () =>
      page.evaluate(() =>
        [...document.fonts]
          .filter(({ status }) => status === "loaded")
          .map(({ unicodeRange }) => unicodeRange.toUpperCase()),
      );
    await open({ ...bengaluru, zoom: 13, locale: "hi" });
    expect(await drawn("names-1")).toContain("शिवाजीनगर");
    expect(await families()).toEqual(expect.arrayContaining([expect.stringContaining("U+900-97F")]));
    await open({ ...bengaluru, zoom: 13, locale: "kn", scheme: "dark" });
    expect(await drawn("names-1", "names-2")).toEqual(expect.arrayContaining(["ಮೆಜೆಸ್ಟಿಕ್", "ಚಿಕ್ಕಪೇಟೆ"]));
    expect(await families()).toEqual(expect.arrayContaining([expect.stringContaining("U+C80-CF3")]));
    const clusters = await page.evaluate(() => {
      const { entries } = (
        window.map.style as unknown as { glyphManager: { entries: Record<string, { glyphs: { default: object } }> } }
      ).glyphManager;
      return Object.values(entries).flatMap(({ glyphs }) => Object.keys(glyphs.default));
    });
    expect(clusters).toContain("ಕ್ಕ");
  },
);

test("the world has the countries' names, and its sea is not under cities on a coast", { tag: "@map" }, async () => {
  await open({ lat: 18, lng: 78, zoom: 3, locale: "hi" });
  expect(await drawn("country-names")).toEqual(expect.arrayContaining(["भारत", "श्रीलंका"]));
  const [sea, land] = ["201,219,232", "244,242,237"];
  expect(await colourAt(13, 88)).toBe(sea);
  expect(await colourAt(22, 78)).toBe(land);
  // The coarse outline has the island of Mumbai and its harbour under water.
  await open({ lat: 18.95, lng: 72.82, zoom: 10 });
  expect(await colourAt(18.95, 72.82)).toBe(land);
  expect(await colourAt(18.9, 72.7)).toBe(land);
});

test("an archive of the operator takes the sketch's place, in the page's language", { tag: "@map" }, async () => {
  const line = (...coordinates: [number, number][]) => ({ type: "LineString" as const, coordinates });
  files["city.pmtiles"] = archive({
    bounds: [77.4, 12.8, 77.8, 13.15],
    maxZoom: 12,
    attribution:
      '<a href="https://openmaptiles.org/">© OpenMapTiles</a> ' +
      '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>' +
      "<img src=x onerror=alert(1)>",
    layers: {
      water: {
        type: "FeatureCollection",
        features: [
          {
            type: "Feature",
            properties: { class: "lake" },
            geometry: {
              type: "Polygon",
              coordinates: [
                [
                  [77.605, 12.98],
                  [77.625, 12.98],
                  [77.625, 12.995],
                  [77.605, 12.995],
                  [77.605, 12.98],
                ],
              ],
            },
          },
        ],
      },
      transportation: {
        type: "FeatureCollection",
        features: [
          { type: "Feature", properties: { class: "primary" }, geometry: line([77.55, 12.97], [77.65, 12.97]) },
        ],
      },
      transportation_name: {
        type: "FeatureCollection",
        features: [
          {
            type: "Feature",
            properties: { class: "primary", name: "Archive Road", "name:hi": "संग्रह मार्ग" },
            geometry: line([77.55, 12.97], [77.65, 12.97]),
          },
        ],
      },
      place: {
        type: "FeatureCollection",
        features: [
          {
            type: "Feature",
            properties: {
              class: "suburb",
              name: "Archive Town",
              "name:hi": "संग्रह नगर",
              "name:kn": "ಸಂಗ್ರಹ ನಗರ",
              rank: 1,
            },
            geometry: { type: "Point", coordinates: [77.58, 12.985] },
          },
        ],
      },
    },
  });
  await open({ ...bengaluru, zoom: 13, locale: "hi", basemap: "/archives/city.pmtiles" });
  expect(await drawn("base-quarters", "base-road-names")).toEqual(["संग्रह नगर", "संग्रह मार्ग"]);
  expect(await drawn("basemap-primary")).toEqual(["primary"]);
  expect(await colourAt(12.99, 77.615)).toBe("185,214,232");
  expect(await colourAt(12.966, 77.58)).toBe("244,242,237");
  expect(await page.evaluate(() => window.map.getSource("sketch") === undefined)).toBe(true);
  const credits = page.locator(".maplibregl-ctrl-attrib-inner");
  await expect(credits).toContainText("© OpenMapTiles");
  await expect(credits.locator("a")).toHaveAttribute("href", "https://www.openstreetmap.org/copyright");
  await expect(credits.locator("img")).toHaveCount(0);
  // Kannada falls back to the default name of the place if there is no other.
  await open({ ...bengaluru, zoom: 13, locale: "kn", scheme: "dark", basemap: "/archives/city.pmtiles" });
  expect(await drawn("base-quarters", "base-road-names")).toEqual(["ಸಂಗ್ರಹ ನಗರ", "Archive Road"]);
});

test(
  "an archive of another place leaves the sketch, one that can't be read leaves everything",
  { tag: "@map" },
  async () => {
    files["elsewhere.pmtiles"] = archive({
      bounds: [72.7, 18.8, 73.1, 19.3],
      maxZoom: 6,
      layers: {
        place: {
          type: "FeatureCollection",
          features: [
            {
              type: "Feature",
              properties: { class: "city", name: "Mumbai", rank: 1 },
              geometry: { type: "Point", coordinates: [72.87, 19.07] },
            },
          ],
        },
      },
    });
    await open({ ...bengaluru, zoom: 13, basemap: "/archives/elsewhere.pmtiles" });
    expect(await drawn("names-1")).toContain("Shivajinagar");
    files["broken.pmtiles"] = Buffer.from("no archive");
    for (const broken of ["broken", "missing"]) {
      await open({ ...bengaluru, zoom: 13, basemap: `/archives/${broken}.pmtiles` });
      expect(await drawn("names-1"), broken).toContain("Shivajinagar");
    }
  },
);

test("the mechanics and jobs behind the home page are drawn", { tag: "@map" }, async () => {
  await open({ ...bengaluru, zoom: 12 });
  await page.evaluate(() => window.addScene(window.map));
  const images = (layer: string) =>
    page.evaluate(
      (layer) =>
        window.map
          .queryRenderedFeatures({ layers: [layer] })
          .map(({ properties }) => String(properties["image"]))
          .sort(),
      layer,
    );
  await expect.poll(() => images("jobs")).toEqual(["coming", "waiting", "working"]);
  const driving = ["busy", "free", "free", "free", "free", "offered"];
  await expect.poll(() => images("mechanics")).toEqual(["busy", ...driving]);
  // The mechanic at work does not drive.
  await expect.poll(() => images("mechanics-heading")).toEqual(driving);
});
