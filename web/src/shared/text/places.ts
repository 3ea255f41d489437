// Opens a place in the maps app of the device.

/** Returns an address that opens a place in the maps app, or in a map on the web. */
export function mapsLink(lat: number, lng: number): string {
  const place = `${lat.toFixed(6)},${lng.toFixed(6)}`;
  const agent = typeof navigator === "undefined" ? "" : navigator.userAgent;
  if (/Android/.test(agent)) return `geo:${place}?q=${place}`;
  if (/iPhone|iPad|Macintosh/.test(agent)) return `https://maps.apple.com/?q=${place}`;
  const [y, x] = [lat.toFixed(6), lng.toFixed(6)];
  return `https://www.openstreetmap.org/?mlat=${y}&mlon=${x}#map=17/${y}/${x}`;
}
