// The positions that wait to be sent: which are kept, which are sent next, which an answer settles. Pure.
import type { Schemas } from "$shared/api/client";

export type Point = Schemas["TrackPoint"];
export type Receipt = Schemas["LocationReceipt"];

/** What the phone reports about its position; `at` in milliseconds by the phone's clock. */
export interface Fix {
  lat: number;
  lng: number;
  accuracyM: number | null;
  speedMps: number | null;
  heading: number | null;
  at: number;
}

export interface Queue {
  /** The number of the next point. */
  readonly next: number;
  /** In the order of recording. */
  readonly waiting: readonly Point[];
}

/** The maximum number of points kept: at one every 3 s this is four hours without a network. */
export const MOST_POINTS = 5_000;
/** The maximum number of points that the service accepts at once. */
export const BATCH = 100;
/** A point this close to the line between its neighbours adds nothing to the track. */
const ON_THE_WAY_M = 15;
/** The maximum that the service accepts. */
const MOST_ACCURACY_M = 100_000;
const MOST_SPEED_MPS = 1_000;

export function emptyQueue(next = 1): Queue {
  return { next, waiting: [] };
}

/** Restores a stored queue; `next` is above every number that was ever assigned. */
export function restored(points: readonly Point[], next: number): Queue {
  const waiting = [...points].sort((a, b) => a.seq - b.seq);
  return { next: Math.max(next, (waiting.at(-1)?.seq ?? 0) + 1), waiting };
}

/**
 * Adds the phone's position. `clockOffsetMs`: the service's clock minus the phone's. Returns the point, and the points
 * that were removed.
 */
export function add(
  queue: Queue,
  fix: Fix,
  clockOffsetMs: number,
  most = MOST_POINTS,
): { queue: Queue; point: Point; dropped: readonly number[] } {
  const point: Point = {
    seq: queue.next,
    lat: round(fix.lat, 6),
    lng: round(fix.lng, 6),
    accuracy_m: upTo(fix.accuracyM, MOST_ACCURACY_M),
    speed_mps: upTo(fix.speedMps, MOST_SPEED_MPS),
    heading: fix.heading === null || !Number.isFinite(fix.heading) ? null : ((fix.heading % 360) + 360) % 360,
    recorded_at: new Date(fix.at + clockOffsetMs).toISOString(),
  };
  const all = [...queue.waiting, point];
  const kept = all.length > most ? thinned(all) : all;
  const still = kept.length === all.length ? null : new Set(kept.map(({ seq }) => seq));
  return {
    queue: { next: queue.next + 1, waiting: kept },
    point,
    dropped: still === null ? [] : all.filter(({ seq }) => !still.has(seq)).map(({ seq }) => seq),
  };
}

/** Returns the points to send next: the current position, and the oldest points of the track before it. */
export function batch(queue: Queue, size = BATCH): Point[] {
  const newest = queue.waiting.at(-1);
  if (newest === undefined) return [];
  return [...queue.waiting.slice(0, Math.min(size - 1, queue.waiting.length - 1)), newest];
}

/** Drops the points that the service has answered. Those that it had no time for stay and are sent again. */
export function settle(queue: Queue, sent: readonly Point[], receipt: Pick<Receipt, "rejected">): Queue {
  const again = new Set(receipt.rejected.filter(({ reason }) => reason === "superseded").map(({ seq }) => seq));
  return without(
    queue,
    sent.map(({ seq }) => seq).filter((seq) => !again.has(seq)),
  );
}

/**
 * Drops the points that the service rejects as invalid: `errors` name fields such as `points[3].lat`. Without names all
 * sent points are dropped.
 */
export function discard(queue: Queue, sent: readonly Point[], errors: Readonly<Record<string, unknown>>): Queue {
  const named = Object.keys(errors).flatMap((path) => {
    const place = /^points\[(\d+)\]/.exec(path)?.[1];
    const point = place === undefined ? undefined : sent[Number(place)];
    return point === undefined ? [] : [point.seq];
  });
  return without(queue, named.length > 0 ? named : sent.map(({ seq }) => seq));
}

function without(queue: Queue, seqs: readonly number[]): Queue {
  const gone = new Set(seqs);
  return { next: queue.next, waiting: queue.waiting.filter(({ seq }) => !gone.has(seq)) };
}

/**
 * Thins out the older half: first it drops points on the line between their neighbours, then every second one. The
 * first point and the newer half stay.
 */
function thinned(points: readonly Point[]): Point[] {
  const half = Math.floor(points.length / 2);
  const target = half - Math.max(1, Math.floor(half / 4));
  let older = points.slice(0, half);
  const newer = points.slice(half);
  older = everySecond(
    older,
    (before, point, after) => distanceToWay(point, before, after) <= ON_THE_WAY_M,
    half - target,
  );
  if (older.length > target) older = everySecond(older, () => true, older.length - target);
  return [...older, ...newer];
}

/** Leaves out at most `most` matching points, never the first, and never two neighbours. */
function everySecond(
  points: readonly Point[],
  fits: (before: Point, point: Point, after: Point) => boolean,
  most: number,
): Point[] {
  const kept: Point[] = [];
  let left = most;
  let wasDropped = false;
  points.forEach((point, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    const goes = left > 0 && !wasDropped && before !== undefined && after !== undefined && fits(before, point, after);
    if (goes) left -= 1;
    else kept.push(point);
    wasDropped = goes;
  });
  return kept;
}

interface Place {
  lat: number;
  lng: number;
}

const METRES_PER_DEGREE = 111_320;

/** Returns the distance between two places in metres. */
export function metresBetween(a: Place, b: Place): number {
  const radians = Math.PI / 180;
  const sin = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const h = sin(b.lat - a.lat) + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * sin(b.lng - a.lng);
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * Returns the distance of `point` from the line between two others in metres, on a flat map, which is good enough for
 * neighbours.
 */
function distanceToWay(point: Place, from: Place, to: Place): number {
  const scale = Math.cos((point.lat * Math.PI) / 180);
  const flat = ({ lat, lng }: Place) => ({
    x: (lng - point.lng) * scale * METRES_PER_DEGREE,
    y: (lat - point.lat) * METRES_PER_DEGREE,
  });
  const a = flat(from);
  const b = flat(to);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, -(a.x * dx + a.y * dy) / length));
  return Math.hypot(a.x + part * dx, a.y + part * dy);
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

function upTo(value: number | null, most: number): number | null {
  return value === null || !Number.isFinite(value) || value < 0 ? null : Math.min(round(value, 1), most);
}
