// Opens the way to a place in the phone's own maps app. Pure.

export interface Place {
  lat: number;
  lng: number;
}

export type MapsApp = "google" | "apple" | "geo";

/** Returns the maps apps, the most likely one for the phone first. */
export function appsFor(userAgent: string): MapsApp[] {
  if (/iPhone|iPad|iPod|Macintosh/.test(userAgent)) return ["apple", "google"];
  return /Android/.test(userAgent) ? ["google", "geo"] : ["google"];
}

export function link(app: MapsApp, { lat, lng }: Place): string {
  const place = `${lat.toFixed(6)},${lng.toFixed(6)}`;
  switch (app) {
    case "google":
      return `https://www.google.com/maps/dir/?api=1&travelmode=driving&destination=${encodeURIComponent(place)}`;
    case "apple":
      return `https://maps.apple.com/?dirflg=d&daddr=${encodeURIComponent(place)}`;
    case "geo":
      return `geo:${place}?q=${encodeURIComponent(place)}`;
  }
}
