// Writes small PMTiles archives (version 3) with vector tiles: one directory, everything compressed with gzip, as
// common tools write them.
import { gzipSync } from "node:zlib";
import { GeoJSONVT } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { FeatureCollection } from "geojson";

interface Archive {
  /** The contents of each layer of the tiles. */
  layers: Record<string, FeatureCollection>;
  /** West, south, east, north. */
  bounds: [number, number, number, number];
  maxZoom: number;
  attribution?: string;
}

export function archive({ layers, bounds, maxZoom, attribution = "" }: Archive): Buffer {
  const indexes = Object.entries(layers).map(
    ([name, data]) => [name, new GeoJSONVT(data, { maxZoom, indexMaxZoom: maxZoom })] as const,
  );
  const tiles: { id: number; bytes: Buffer }[] = [];
  for (let z = 0; z <= maxZoom; z += 1) {
    const [west, north] = tileAt(bounds[0], bounds[3], z);
    const [east, south] = tileAt(bounds[2], bounds[1], z);
    for (let x = west; x <= east; x += 1) {
      for (let y = north; y <= south; y += 1) {
        const parts = indexes.flatMap(([name, index]) => {
          const tile = index.getTile(z, x, y);
          return tile ? [[name, tile] as const] : [];
        });
        if (parts.length > 0)
          tiles.push({
            id: tileId(z, x, y),
            bytes: gzipSync(fromGeojsonVt(Object.fromEntries(parts), { version: 2, extent: 4096 })),
          });
      }
    }
  }
  tiles.sort((a, b) => a.id - b.id);

  let offset = 0;
  const offsets = tiles.map(({ bytes }) => (offset += bytes.length) - bytes.length);
  const directory = gzipSync(
    Buffer.concat([
      varint(tiles.length),
      ...tiles.map(({ id }, index) => varint(id - (tiles[index - 1]?.id ?? 0))),
      ...tiles.map(() => varint(1)),
      ...tiles.map(({ bytes }) => varint(bytes.length)),
      ...offsets.map((at) => varint(at + 1)),
    ]),
  );
  const about = gzipSync(
    JSON.stringify({ attribution, vector_layers: Object.keys(layers).map((id) => ({ id, fields: {} })) }),
  );
  const header = Buffer.alloc(127);
  header.write("PMTiles", 0);
  header.writeUInt8(3, 7);
  const start = 127;
  const places = [
    start,
    directory.length,
    start + directory.length,
    about.length,
    0,
    0,
    start + directory.length + about.length,
    offset,
    tiles.length,
    tiles.length,
    tiles.length,
  ];
  places.forEach((value, index) => header.writeBigUInt64LE(BigInt(value), 8 + index * 8));
  // Clustered; gzip for directories and for tiles; vector tiles; minimum and maximum zoom.
  [1, 2, 2, 1, 0, maxZoom].forEach((value, index) => header.writeUInt8(value, 96 + index));
  bounds.forEach((value, index) => header.writeInt32LE(Math.round(value * 1e7), 102 + index * 4));
  return Buffer.concat([header, directory, about, ...tiles.map(({ bytes }) => bytes)]);
}

function tileAt(lng: number, lat: number, z: number): [number, number] {
  const count = 2 ** z;
  const sin = Math.sin((lat * Math.PI) / 180);
  const clamp = (value: number) => Math.min(count - 1, Math.max(0, Math.floor(value)));
  return [clamp(((lng + 180) / 360) * count), clamp((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * count)];
}

/** Returns a tile's position on a Hilbert curve through all tiles of its zoom, after all tiles of lower zooms. */
function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  let [a, b] = [x, y];
  for (let size = 2 ** (z - 1); size >= 1; size /= 2) {
    const [rx, ry] = [(a & size) > 0 ? 1 : 0, (b & size) > 0 ? 1 : 0];
    id += size * size * ((3 * rx) ^ ry);
    if (ry === 0) {
      if (rx === 1) [a, b] = [size - 1 - a, size - 1 - b];
      [a, b] = [b, a];
    }
  }
  return id;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
