// The movement of a marker from one reported position to the next, over about the time between reports, so that it
// neither jumps nor runs ahead of the reports. It is always shown between two reported places, and stops after the last
// one.

export interface Position {
  lat: number;
  lng: number;
  /** Degrees clockwise from north; null if unknown. */
  heading: number | null;
}

export interface Glide {
  from: Position;
  to: Position;
  /** Milliseconds, on the caller's clock. */
  begins: number;
  ends: number;
}

/** After a longer silence the way in between is unknown: the marker jumps to the new place. */
const LONGEST_GAP_MS = 20_000;
/** Further than anybody drives between two reports. */
const LONGEST_WAY_M = 1_000;
const SHORTEST_MS = 300;

/** Returns the movement after a report at `now`. `last` is the movement before it, null at the first report. */
export function glide(last: Glide | null, report: Position, now: number, isStill = false): Glide {
  const gap = last ? now - last.begins : Infinity;
  const from = last ? positionAt(last, now) : report;
  if (isStill || gap > LONGEST_GAP_MS || metres(from, report) > LONGEST_WAY_M)
    return { from: report, to: report, begins: now, ends: now };
  return { from, to: report, begins: now, ends: now + Math.max(SHORTEST_MS, gap) };
}

/** Returns the marker's position at `now`. */
export function positionAt({ from, to, begins, ends }: Glide, now: number): Position {
  if (now >= ends) return to;
  const share = Math.max(0, (now - begins) / (ends - begins));
  return {
    lat: from.lat + (to.lat - from.lat) * share,
    lng: from.lng + (to.lng - from.lng) * share,
    heading: turned(from.heading, to.heading, share),
  };
}

/** Reports whether the movement is over, so that no frame has to be drawn for it. */
export function isOver(movement: Glide, now: number): boolean {
  return now >= movement.ends;
}

/** Turns the shorter way around. */
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
