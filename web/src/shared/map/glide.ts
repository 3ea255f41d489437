// How a marker moves from one reported position to the next: over about the time between reports, so that it neither
// jumps nor runs ahead of what is known. Where it is shown is always between two reported places, and after the last
// one it stops.

export interface Position {
  lat: number;
  lng: number;
  /** Degrees clockwise from north; null if it isn't known. */
  heading: number | null;
}

export interface Glide {
  from: Position;
  to: Position;
  /** Milliseconds, on the clock of whoever asks. */
  begins: number;
  ends: number;
}

/** After a longer silence the way between is unknown: the marker is at the new place at once. */
const LONGEST_GAP_MS = 20_000;
/** Further than anybody drives between two reports. */
const LONGEST_WAY_M = 1_000;
const SHORTEST_MS = 300;

/** A report came in at `now`. `last` is what was going on until then, null at the first report. */
export function glide(last: Glide | null, report: Position, now: number, isStill = false): Glide {
  const gap = last ? now - last.begins : Infinity;
  const from = last ? positionAt(last, now) : report;
  if (isStill || gap > LONGEST_GAP_MS || metres(from, report) > LONGEST_WAY_M)
    return { from: report, to: report, begins: now, ends: now };
  return { from, to: report, begins: now, ends: now + Math.max(SHORTEST_MS, gap) };
}

/** Where the marker is at `now`. */
export function positionAt({ from, to, begins, ends }: Glide, now: number): Position {
  if (now >= ends) return to;
  const share = Math.max(0, (now - begins) / (ends - begins));
  return {
    lat: from.lat + (to.lat - from.lat) * share,
    lng: from.lng + (to.lng - from.lng) * share,
    heading: turned(from.heading, to.heading, share),
  };
}

/** Nothing moves any more: no frame has to be drawn for it. */
export function isOver(movement: Glide, now: number): boolean {
  return now >= movement.ends;
}

/** The shorter way around. */
function turned(from: number | null, to: number | null, share: number): number | null {
  if (from === null || to === null) return to;
  const turn = ((to - from + 540) % 360) - 180;
  return (from + turn * share + 360) % 360;
}

function metres(a: Position, b: Position): number {
  const y = (b.lat - a.lat) * 111_195;
  const x = (b.lng - a.lng) * 111_195 * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(x, y);
}
