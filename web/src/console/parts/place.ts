// Places in the formats that people paste.

export interface Place {
  lat: number;
  lng: number;
}

/**
 * Reads "12.97160, 77.59460", "12°58'18"N 77°35'41"E", or a map link with coordinates; returns null for anything
 * else.
 */
export function readPlace(text: string): Place | null {
  const link =
    /@(-?\d{1,3}\.\d+),(-?\d{1,3}\.\d+)/.exec(text) ??
    /[?&](?:q|query|ll|mlat)=(-?\d{1,3}\.\d+)(?:,|%2C|&mlon=)(-?\d{1,3}\.\d+)/i.exec(text);
  if (link) return checked(Number(link[1]), Number(link[2]));
  const plain = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  if (plain) return checked(Number(plain[1]), Number(plain[2]));
  const degrees = [
    ...text.matchAll(/(\d{1,3})\s*°\s*(?:(\d{1,2})\s*['′]\s*)?(?:(\d{1,2}(?:\.\d+)?)\s*["″]\s*)?([NSEW])/gi),
  ];
  if (degrees.length !== 2) return null;
  const values: Record<string, number> = {};
  for (const [, whole, minutes, seconds, side = ""] of degrees) {
    const value = Number(whole) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
    const isNegative = /[sw]/i.test(side);
    values[/[ns]/i.test(side) ? "lat" : "lng"] = isNegative ? -value : value;
  }
  return checked(values["lat"] ?? Number.NaN, values["lng"] ?? Number.NaN);
}

/** Formats coordinates for the form. */
export function writePlace({ lat, lng }: Place): string {
  return `${lat.toFixed(6)}, ${lng.toFixed(6)}`;
}

function checked(lat: number, lng: number): Place | null {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

/** Returns a phone number in the service's format, with the country's code; null while it is incomplete. */
export function readPhone(text: string, countryCode: string): string | null {
  const bare = text.replace(/[\s().-]/g, "");
  const number = bare.startsWith("00")
    ? `+${bare.slice(2)}`
    : bare.startsWith("+")
      ? bare
      : `${countryCode}${bare.replace(/^0/, "")}`;
  return /^\+\d{10,15}$/.test(number) ? number : null;
}
