// The symbols of people, jobs and places on maps, drawn when a map is created. Every state has a distinct symbol as
// well as a colour.
import type { Map as GlMap } from "maplibre-gl";
import type { Scheme } from "./palette";

const tones = {
  light: {
    ring: "#ffffff",
    sign: "#ffffff",
    good: "#11703f",
    warn: "#b45309",
    info: "#1d4fd7",
    work: "#6d28d9",
    bad: "#b3261e",
    grey: "#69727f",
    accent: "#b45309",
  },
  dark: {
    ring: "#12161c",
    sign: "#12161c",
    good: "#5fd596",
    warn: "#f5a524",
    info: "#8ab4ff",
    work: "#c4a5ff",
    bad: "#ff9a91",
    grey: "#8b95a3",
    accent: "#f5a524",
  },
} as const;

type Tones = Record<keyof (typeof tones)["light"], string>;

const RATIO = 2;
export type Draw = (context: CanvasRenderingContext2D) => void;

/** Adds the images that are still missing. */
export function addImages(map: GlMap, scheme: Scheme): void {
  const tone = tones[scheme];
  const add = (name: string, width: number, height: number, draw: Draw) => {
    if (!map.hasImage(name)) map.addImage(name, picture(width, height, draw), { pixelRatio: RATIO });
  };
  const states = {
    free: [tone.good, dot],
    offered: [tone.warn, question],
    busy: [tone.info, wrench],
  } as const;
  for (const [state, [colour, sign]] of Object.entries(states)) {
    add(`mechanic-${state}`, 30, 30, puck(tone, colour, sign));
    add(`heading-${state}`, 50, 50, beak(tone, colour));
  }
  add("mechanic-busy-stale", 30, 30, puck(tone, tone.grey, wrench));
  const groups = {
    waiting: [tone.bad, exclamation],
    coming: [tone.info, arrow],
    working: [tone.work, wrench],
  } as const;
  for (const [group, [colour, sign]] of Object.entries(groups)) add(`job-${group}`, 32, 40, pin(tone, colour, sign));
}

/** Adds the pin of a place where help is needed, with its own symbol. */
export function addPin(map: GlMap, scheme: Scheme, name: string, sign: Draw): void {
  const tone = tones[scheme];
  if (!map.hasImage(name)) map.addImage(name, picture(32, 40, pin(tone, tone.accent, sign)), { pixelRatio: RATIO });
}

function picture(width: number, height: number, draw: Draw): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = width * RATIO;
  canvas.height = height * RATIO;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no pictures can be drawn");
  context.scale(RATIO, RATIO);
  context.lineCap = "round";
  context.lineJoin = "round";
  draw(context);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Draws a disc with a ring; symbols are drawn around (0, 0), about 12 wide. */
const puck =
  (tone: Tones, colour: string, sign: Draw): Draw =>
  (context) => {
    context.translate(15, 15);
    shadowed(context, () => disc(context, 13, tone.ring));
    disc(context, 10.8, colour);
    signed(context, tone, sign);
  };

/** Draws a beak that points north, outside a disc in the middle. */
const beak =
  (tone: Tones, colour: string): Draw =>
  (context) => {
    context.translate(25, 25);
    context.beginPath();
    context.moveTo(0, -22);
    context.lineTo(8, -10);
    context.lineTo(-8, -10);
    context.closePath();
    Object.assign(context, { fillStyle: colour, strokeStyle: tone.ring, lineWidth: 2 });
    context.stroke();
    context.fill();
  };

/** Draws a pin whose tip is in the middle of the lower edge. */
const pin =
  (tone: Tones, colour: string, sign: Draw): Draw =>
  (context) => {
    context.translate(16, 16);
    const drop = (size: number) => {
      context.beginPath();
      context.arc(0, 0, size, Math.PI * 0.82, Math.PI * 0.18);
      context.quadraticCurveTo(size * 0.5, size * 1.05, 0, size * 1.66);
      context.quadraticCurveTo(
        -size * 0.5,
        size * 1.05,
        size * Math.cos(Math.PI * 0.82),
        size * Math.sin(Math.PI * 0.82),
      );
      context.closePath();
    };
    shadowed(context, () => {
      drop(13.5);
      context.fillStyle = tone.ring;
      context.fill();
    });
    drop(11.4);
    context.fillStyle = colour;
    context.fill();
    signed(context, tone, sign);
  };

function shadowed(context: CanvasRenderingContext2D, draw: () => void): void {
  Object.assign(context, { shadowColor: "rgba(0, 0, 0, 0.4)", shadowBlur: 3, shadowOffsetY: 1 });
  draw();
  Object.assign(context, { shadowColor: "transparent", shadowBlur: 0, shadowOffsetY: 0 });
}

function signed(context: CanvasRenderingContext2D, tone: Tones, sign: Draw): void {
  Object.assign(context, { fillStyle: tone.sign, strokeStyle: tone.sign, lineWidth: 2.2 });
  sign(context);
}

function disc(context: CanvasRenderingContext2D, radius: number, colour: string): void {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

const line =
  (...points: [number, number][]): Draw =>
  (context) => {
    context.beginPath();
    points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.stroke();
  };
const dot: Draw = (context) => disc(context, 4, String(context.fillStyle));
const arrow: Draw = (context) => {
  line([-5, 0], [4.5, 0])(context);
  line([0.8, -4], [4.8, 0], [0.8, 4])(context);
};
const exclamation: Draw = (context) => {
  line([0, -5], [0, 1])(context);
  context.translate(0, 4.8);
  disc(context, 1.5, String(context.strokeStyle));
};
const question: Draw = (context) => {
  context.beginPath();
  context.arc(0, -2.2, 3.1, Math.PI * 1.05, Math.PI * 0.42);
  context.lineTo(0, 2);
  context.stroke();
  context.translate(0, 5.4);
  disc(context, 1.4, String(context.strokeStyle));
};
const wrench: Draw = (context) => {
  context.rotate(Math.PI / 4);
  context.beginPath();
  context.moveTo(0, -0.6);
  context.lineTo(0, 5.8);
  context.lineWidth = 3;
  context.stroke();
  context.beginPath();
  context.arc(0, -3.4, 3.1, Math.PI * 1.68, Math.PI * 1.32);
  context.lineWidth = 2.3;
  context.stroke();
};
